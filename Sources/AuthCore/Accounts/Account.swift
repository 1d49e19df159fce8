/// One person's record: what clients see as *user*.
public struct Account: Hashable, Sendable, Codable, Identifiable {
  public let id: AccountID
  public let scope: Scope
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

/// What was stored before accounts had details has none.
extension Account {
  public init(from decoder: any Decoder) throws {
    let stored = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try stored.decode(AccountID.self, forKey: .id),
      scope: try stored.decode(Scope.self, forKey: .scope),
      createdAt: try stored.decode(Timestamp.self, forKey: .createdAt))
    revision = try stored.decode(Int64.self, forKey: .revision)
    email = try stored.decodeIfPresent(EmailAddress.self, forKey: .email)
    emailVerified = try stored.decode(Bool.self, forKey: .emailVerified)
    displayName = try stored.decodeIfPresent(String.self, forKey: .displayName)
    photoURL = try stored.decodeIfPresent(String.self, forKey: .photoURL)
    phoneNumber = try stored.decodeIfPresent(PhoneNumber.self, forKey: .phoneNumber)
    disabled = try stored.decode(Bool.self, forKey: .disabled)
    isAnonymous = try stored.decode(Bool.self, forKey: .isAnonymous)
    customClaims = try stored.decodeIfPresent(CustomClaims.self, forKey: .customClaims)
    lastSignInAt = try stored.decodeIfPresent(Timestamp.self, forKey: .lastSignInAt)
    validSince = try stored.decodeIfPresent(Timestamp.self, forKey: .validSince)
    ownership = try stored.decodeIfPresent(Ownership.self, forKey: .ownership)
    generation = try stored.decodeIfPresent(Int64.self, forKey: .generation)
    identities = try stored.decode([Identity].self, forKey: .identities)
    secondFactors = try stored.decode([SecondFactor].self, forKey: .secondFactors)
    details = try stored.decodeIfPresent(AccountDetails.self, forKey: .details) ?? details
  }
}
