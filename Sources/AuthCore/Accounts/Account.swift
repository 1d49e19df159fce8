/// A person's record, which clients see as *user*.
public struct Account: Hashable, Sendable, Codable, Identifiable {
  /// The account's uid, unique in its scope.
  public private(set) var id: AccountID
  /// The project or tenant that the account belongs to.
  public private(set) var scope: Scope
  /// The number of writes; a store refuses a write that was computed from an older revision.
  public var revision: Int64
  /// The account's e-mail address; unique in its scope if verified, unless accounts may share addresses.
  public var email: EmailAddress?
  /// True if the account's owner has proved to read mail at the address.
  public var emailVerified: Bool
  /// The name that other people see.
  public var displayName: String?
  /// The URL of the account's picture.
  public var photoURL: String?
  /// The account's phone number; no other account of its scope may take it.
  public var phoneNumber: PhoneNumber?
  /// True if the account cannot sign in until an admin enables it again.
  public var disabled: Bool
  /// True from an anonymous sign-in until the first identity is linked.
  public var isAnonymous: Bool
  /// The claims that an admin added to the account's tokens.
  public var customClaims: CustomClaims?
  /// The time of the sign-up.
  public var createdAt: Timestamp
  /// The time of the last sign-in; nil if there was none.
  public var lastSignInAt: Timestamp?
  /// The time before which sessions are over, as clients and Admin SDKs see it.
  ///
  /// On this server, ``sessionMark`` decides.
  public var validSince: Timestamp?
  /// The mark of the account's present owner; nil if an earlier version made the account and its owner never changed
  /// since.
  public package(set) var ownership: Ownership?
  /// The number of times the account's sessions were ended under its present ownership; nil if never.
  public package(set) var generation: Int64?
  /// The ways to sign in, in the order in which they were linked, which is that of `providerData`.
  public var identities: [Identity]
  /// The second factors, in the order in which they were enrolled.
  public var secondFactors: [SecondFactor]
  /// Further data for clients beside the profile.
  public var details = AccountDetails()

  /// Makes an account without identities.
  public init(id: AccountID, scope: Scope, createdAt: Timestamp) {
    self.id = id
    self.scope = scope
    self.createdAt = createdAt
    revision = 0
    emailVerified = false
    disabled = false
    isAnonymous = false
    identities = []
    secondFactors = []
  }

  /// Returns the identity with exactly this key; nil if the account has none.
  public func identity(_ key: IdentityKey) -> Identity? {
    identities.indices.first { identities[$0].key == key }.map { identities[$0] }
  }

  /// Returns the identity that a key leads to, which may be a key that it replaced.
  public func identity(reachedBy key: IdentityKey) -> Identity? {
    identities.index(reachedBy: key).map { identities[$0] }
  }

  /// Tells whether a key leads to one of the account's identities, which may be a key that one replaced.
  public func owns(_ key: IdentityKey) -> Bool {
    identities.index(reachedBy: key) != nil
  }

  /// Returns the identities of a provider.
  public func identities(of provider: ProviderID) -> [Identity] {
    identities.filter { $0.provider == provider }
  }

  /// The identity of the password for the account's own address.
  public var passwordIdentity: Identity? {
    email.flatMap { identity(.password($0)) }
  }

  /// Applies a change to the identity with this key, if the account has it.
  mutating func changeIdentity(_ key: IdentityKey, _ change: (inout Identity) -> Void) {
    guard let index = identities.indices.first(where: { identities[$0].key == key }) else { return }
    change(&identities[index])
  }

  /// Tells whether two records differ only in traces of sign-ins: times, refreshed provider profiles and rehashed
  /// secrets.
  ///
  /// Such a difference can be dropped without loss.
  func equalsIgnoringActivity(_ other: Account) -> Bool {
    self == other || withoutActivity() == other.withoutActivity()
  }

  private func withoutActivity() -> Account {
    var copy = self
    copy.revision = 0
    copy.lastSignInAt = nil
    copy.details.lastRefreshAt = nil
    copy.details.usedCustomToken = false
    // Every change carries the present marks on.
    copy.details.vendorMarks = []
    copy.details.keptSessions = []
    for index in copy.identities.indices {
      copy.identities[index].lastSignInAt = nil
      copy.identities[index].profile = IdentityProfile()
      copy.identities[index].emailVerified = false
      copy.identities[index].secret?.encoded = ""
      copy.identities[index].forgetActivityOfPredecessors()
    }
    return copy
  }
}

extension Account: FieldRecord {
  package static var blank: Account {
    Account(id: AccountID(""), scope: Scope(project: ""), createdAt: Timestamp(milliseconds: 0))
  }

  /// The fields of the stored JSON; a test compares the stores' columns with them.
  package static let fields: FieldList<Account> = [
    Field("id", \.id, audit: .left),
    Field("scope", \.scope, audit: .left),
    Field("revision", \.revision, audit: .left),
    Field("email", \.email),
    Field("emailVerified", \.emailVerified),
    Field("displayName", \.displayName),
    Field("photoURL", \.photoURL),
    Field("phoneNumber", \.phoneNumber),
    Field("disabled", \.disabled),
    Field("isAnonymous", \.isAnonymous),
    Field("customClaims", \.customClaims),
    Field("createdAt", \.createdAt, audit: .times),
    Field("lastSignInAt", \.lastSignInAt, audit: .left),
    Field("validSince", \.validSince, audit: .left),
    Field("ownership", \.ownership, audit: .left),
    Field("generation", \.generation, audit: .left),
    Field("identities", \.identities, audit: .left),
    Field("secondFactors", \.secondFactors, audit: .left),
    Field(later: "details", \.details, audit: .left),
  ]
}
