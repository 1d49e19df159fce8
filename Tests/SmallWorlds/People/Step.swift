package import AuthCore

/// One thing that a person or an admin does; what was kept before is named by the number of the step that gave it.
package enum Step: Sendable {
  // A person comes.
  case anonymous(Person)
  case appUser(Person)
  case vendor(Person, Vendor, Mailbox?)
  case phone(Person)
  case signUp(Person, Mailbox)
  case password(Person, Mailbox)
  /// The mailbox's owner asks for a link and uses it.
  case linkAtOnce(Mailbox)
  case resetAtOnce(Mailbox)
  /// Asked for by anybody; the mailbox's owner keeps it.
  case askLink(Mailbox)
  case askReset(Mailbox)
  /// Uses a code that was kept, by its holder.
  case use(Int)
  case vouch(Person, Vendor, Mailbox?)
  case signInVouched(Int)

  // A session is used by its holder.
  case linkVouched(Int, session: Int)
  case linkVendor(Int, Vendor, Mailbox?)
  case linkPhone(Int)
  case linkPassword(Int, Mailbox)
  case linkMailbox(Int, Mailbox)
  case unlink(Int, ProviderID)
  /// Sets the address, or drops it.
  case setEmail(Int, Mailbox?)
  case setPassword(Int)
  case askVerification(Int)
  case askChange(Int, to: Mailbox)
  case renew(Int)
  case merge(Int, into: Int)
  case deleteOwn(Int)
  /// Gives the account the person's authenticator app, which the admin does for whoever asks.
  case enroll(Int)

  // An admin.
  case disable(AccountID, Bool)
  case delete(AccountID)
  case create(AccountID, Person, Mailbox?, verified: Bool)
  case importAccount(AccountID, Person, Mailbox?)
  case forgetTeam
  case setUpTeam(Issuer)
  case trustHonest(Bool)
  case close(ProviderID, Bool)
  case closeDoors(Bool)
  case oneAccountPerEmail(Bool)
  case undo(Int, force: Bool)
  /// Merges two accounts of the same people.
  case adminMerge(AccountID, absorbing: AccountID)
  case mergeByPolicy(Bool)

  /// The name of the case, which together with a formula names a fault.
  package var kind: String {
    let text = "\(self)"
    return String(text.prefix { $0 != "(" })
  }

  /// The number of the session that does it.
  var session: Int? {
    switch self {
    case .linkVouched(_, let session), .linkVendor(let session, _, _), .linkPhone(let session),
      .linkPassword(let session, _), .linkMailbox(let session, _), .unlink(let session, _),
      .setEmail(let session, _), .setPassword(let session), .askVerification(let session),
      .askChange(let session, _), .renew(let session), .merge(_, let session),
      .deleteOwn(let session), .enroll(let session):
      session
    default: nil
    }
  }
}

/// A session that a person keeps.
struct KeptSession: Sendable {
  let person: Person
  let grant: SessionGrant
}

/// A code that a person keeps.
struct KeptCode: Sendable {
  let holder: Person
  let issued: IssuedActionCode
  /// The account that it was made for, and the moment since which that belonged to its people.
  let account: AccountID?
  let since: Int
  /// Whether the account was the holder's alone.
  let isSole: Bool
  /// The account as it was when the code was made.
  let accountThen: Account?
  var wasUsed = false

  var operation: ActionCodeOperation { issued.info.operation }
  /// The mailbox in which it came.
  var mailbox: Mailbox? { Mailbox(issued.info.newEmailOfChange ?? issued.info.email) }
}

extension ActionCodeInfo {
  fileprivate var newEmailOfChange: EmailAddress? {
    operation == .verifyAndChangeEmail ? newEmail : nil
  }
}

/// A vouched credential that a person keeps.
struct KeptCredential: Sendable {
  let person: Person
  let token: Secret<String>
  let mailbox: Mailbox?
  let key: IdentityKey?
}

/// A merge that an admin may undo.
struct KeptMerge: Sendable {
  let id: String
  let survivor: AccountID
  let absorbed: AccountID
  let owners: Set<Person>
}
