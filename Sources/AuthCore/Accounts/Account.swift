/// One person's record: what clients see as *user*.
public struct Account: Hashable, Sendable, Codable, Identifiable {
  public private(set) var id: AccountID
  public private(set) var scope: Scope
  /// Counts the writes; a store refuses a write that was computed from an older one.
  public var revision: Int64
  public var email: EmailAddress?
  public var emailVerified: Bool
  public var displayName: String?
  public var photoURL: String?
  public var phoneNumber: PhoneNumber?
  public var disabled: Bool
  /// True from an anonymous sign-in until the first identity is linked.
  public var isAnonymous: Bool
  public var customClaims: CustomClaims?
  public var createdAt: Timestamp
  public var lastSignInAt: Timestamp?
  /// Sessions that began before this moment are over.
  ///
  /// It is what clients and Admin SDKs are shown; ``sessionMark`` decides on this server.
  public var validSince: Timestamp?
  /// The mark of who owns the account now; nil if a version that kept none made the account and nobody took it over since.
  public package(set) var ownership: Ownership?
  /// How often the account's sessions were ended since its ownership began; nil if they never were.
  public package(set) var generation: Int64?
  /// In the order in which they came, which is the order of `providerData`.
  public var identities: [Identity]
  public var secondFactors: [SecondFactor]
  /// What clients are shown beside the profile.
  public var details = AccountDetails()

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

  public func identity(_ key: IdentityKey) -> Identity? {
    identities.indices.first { identities[$0].key == key }.map { identities[$0] }
  }

  /// The identity that a key leads to, also by a key that was replaced.
  public func identity(reachedBy key: IdentityKey) -> Identity? {
    identities.index(reachedBy: key).map { identities[$0] }
  }

  /// Whether a key leads to one of its identities, also by a key that was replaced.
  public func owns(_ key: IdentityKey) -> Bool {
    identities.index(reachedBy: key) != nil
  }

  public func identities(of provider: ProviderID) -> [Identity] {
    identities.filter { $0.provider == provider }
  }

  /// The identity whose password belongs to the account's own address.
  public var passwordIdentity: Identity? {
    email.flatMap { identity(.password($0)) }
  }

  /// Applies a change to the identity with this key, where the account has it.
  mutating func changeIdentity(_ key: IdentityKey, _ change: (inout Identity) -> Void) {
    guard let index = identities.indices.first(where: { identities[$0].key == key }) else { return }
    change(&identities[index])
  }

  /// Tells whether two records differ only by what signing in leaves behind: times, refreshed
  /// provider profiles and rehashed secrets.
  ///
  /// Nothing is lost when such a difference is forgotten.
  func equalsIgnoringActivity(_ other: Account) -> Bool {
    self == other || withoutActivity() == other.withoutActivity()
  }

  private func withoutActivity() -> Account {
    var copy = self
    copy.revision = 0
    copy.lastSignInAt = nil
    copy.details.lastRefreshAt = nil
    copy.details.usedCustomToken = false
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

  /// The list that stored JSON comes from; the columns of the stores are held to it by a test.
  package static let fields: FieldList<Account> = [
    Field("id", \.id),
    Field("scope", \.scope),
    Field("revision", \.revision),
    Field("email", \.email),
    Field("emailVerified", \.emailVerified),
    Field("displayName", \.displayName),
    Field("photoURL", \.photoURL),
    Field("phoneNumber", \.phoneNumber),
    Field("disabled", \.disabled),
    Field("isAnonymous", \.isAnonymous),
    Field("customClaims", \.customClaims),
    Field("createdAt", \.createdAt),
    Field("lastSignInAt", \.lastSignInAt),
    Field("validSince", \.validSince),
    Field("ownership", \.ownership),
    Field("generation", \.generation),
    Field("identities", \.identities),
    Field("secondFactors", \.secondFactors),
    Field(later: "details", \.details),
  ]
}
