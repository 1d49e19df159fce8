package import AuthCore

/// An act of a person or an admin.
///
/// Sessions, codes and credentials are named by the number of their step.
package enum Step: Sendable {
  // Sign-ins of a person.
  case anonymous(Person)
  case appUser(Person)
  case vendor(Person, Vendor, Mailbox?)
  case phone(Person)
  case signUp(Person, Mailbox)
  case password(Person, Mailbox)
  /// The mailbox's owner requests a link and uses it.
  case linkAtOnce(Mailbox)
  case resetAtOnce(Mailbox)
  /// Any person may request it; the mailbox's owner stores it.
  case askLink(Mailbox)
  case askReset(Mailbox)
  /// The holder of a stored code uses it.
  case use(Int)
  case vouch(Person, Vendor, Mailbox?)
  case signInVouched(Int)

  // Acts of a session's holder.
  case linkVouched(Int, session: Int)
  case linkVendor(Int, Vendor, Mailbox?)
  case linkPhone(Int)
  case linkPassword(Int, Mailbox)
  case linkMailbox(Int, Mailbox)
  case unlink(Int, ProviderID)
  /// Ends several ways into the account in one change.
  case endWaysIn(Int, [EndedWay])
  /// Sets or removes the address.
  case setEmail(Int, Mailbox?)
  case setPassword(Int)
  case askVerification(Int)
  case askChange(Int, to: Mailbox)
  case renew(Int)
  case merge(Int, into: Int)
  /// Brings the person's identity at a vendor from the account of another session.
  case moveOwn(Int, to: Int, Vendor)
  case deleteOwn(Int)
  /// Enrolls the person's authenticator app, which the admin does for any person.
  case enroll(Int)

  // Acts of the admin.
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
  /// Merges two accounts with the same residents.
  case adminMerge(AccountID, absorbing: AccountID)
  case mergeByPolicy(Bool)
  /// Makes an account of what another one has of a provider.
  case split(AccountID, ProviderID)
  /// Moves what an account has of a provider to another one with the same residents.
  case move(ProviderID, from: AccountID, to: AccountID)

  /// The name of the case.
  ///
  /// Together with a formula it identifies a fault.
  package var kind: String {
    let text = "\(self)"
    return String(text.prefix { $0 != "(" })
  }

  /// The number of the acting session.
  var session: Int? {
    switch self {
    case .linkVouched(_, let session), .linkVendor(let session, _, _), .linkPhone(let session),
      .linkPassword(let session, _), .linkMailbox(let session, _), .unlink(let session, _),
      .endWaysIn(let session, _), .setEmail(let session, _), .setPassword(let session),
      .askVerification(let session),
      .askChange(let session, _), .renew(let session), .merge(_, let session),
      .moveOwn(_, let session, _),
      .deleteOwn(let session), .enroll(let session):
      session
    default: nil
    }
  }
}

/// A session that a person holds.
struct KeptSession: Sendable {
  let person: Person
  let grant: SessionGrant
}

/// A code that a person holds.
struct KeptCode: Sendable {
  let holder: Person
  let issued: ActionCode
  /// The account that it was made for, and the moment since which that belonged to its people.
  let account: AccountID?
  let since: Int
  /// True if the account belonged to the holder alone.
  let isSole: Bool
  /// The account at the time that the code was made.
  let accountThen: Account?
  var wasUsed = false

  var operation: ActionCode.Operation { issued.info.operation }
  /// The mailbox in which it came.
  var mailbox: Mailbox? { Mailbox(issued.info.newEmailOfChange ?? issued.info.email) }
}

extension ActionCode.Info {
  fileprivate var newEmailOfChange: EmailAddress? {
    operation == .verifyAndChangeEmail ? newEmail : nil
  }
}

/// A verified credential that a person holds.
struct KeptCredential: Sendable {
  let person: Person
  let token: Secret<String>
  let mailbox: Mailbox?
  let key: IdentityKey?
}

/// A merge, a split or a move that an admin may undo.
struct KeptMerge: Sendable {
  let id: String
  let survivor: AccountID
  let absorbed: AccountID
  let owners: Set<Person>
  /// The accounts before a split or a move; empty for a merge.
  var before: [Account] = []
}
