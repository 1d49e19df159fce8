/// What makes an identity the same one next time: provider, issuer and the provider's immutable subject.
///
/// The issuer is empty where the provider ID alone says who vouches; providers with several issuers
/// (one per company or instance) put theirs here, so that equal subjects of two issuers never meet.
public struct IdentityKey: Sendable, Codable, Comparable, CustomStringConvertible {
  public let provider: ProviderID
  public let issuer: String
  public let subject: String

  public init(_ provider: ProviderID, issuer: String = "", subject: String) {
    self.provider = provider
    self.issuer = issuer
    self.subject = subject
  }

  /// The key of the password that belongs to an address.
  public static func password(_ email: EmailAddress) -> IdentityKey {
    IdentityKey(.password, subject: email.canonical)
  }

  /// The key of links to an address that sign in.
  public static func emailLink(_ email: EmailAddress) -> IdentityKey {
    IdentityKey(.emailLink, subject: email.canonical)
  }

  /// The key of a phone number.
  public static func phone(_ number: PhoneNumber) -> IdentityKey {
    IdentityKey(.phone, subject: number.text)
  }

  public var description: String {
    issuer.isEmpty ? "\(provider)/\(subject)" : "\(provider)/\(issuer)/\(subject)"
  }

  public static func < (a: IdentityKey, b: IdentityKey) -> Bool {
    (a.provider, a.issuer, a.subject) < (b.provider, b.issuer, b.subject)
  }
}

/// Compared byte by byte, as a store does: a provider whose subjects differ only in how a letter is composed
/// means two people.
extension IdentityKey: Hashable {
  public static func == (a: IdentityKey, b: IdentityKey) -> Bool {
    a.provider == b.provider && a.issuer.isExactly(b.issuer) && a.subject.isExactly(b.subject)
  }

  public func hash(into hasher: inout Hasher) {
    // Equal bytes are equal strings, so String's own hash will do.
    hasher.combine(provider)
    hasher.combine(issuer)
    hasher.combine(subject)
  }
}

/// What a provider tells about the person; shown, never used to decide who someone is.
public struct IdentityProfile: Hashable, Sendable, Codable {
  public var email: String?
  public var displayName: String?
  public var photoURL: String?
  public var phoneNumber: String?
  /// The handle that X and GitHub call a screen name.
  public var screenName: String?
  /// The language the person reads, as the provider writes it.
  public var language: String?
  /// The day the person was born, as the provider writes it.
  public var dateOfBirth: String?

  /// Whether the address is one that Apple made to hide the person's own, and forwards.
  ///
  /// Only Apple's word on it counts: see ``TrustPolicy/trusts(_:for:)``.
  public var hasRelayAddress: Bool {
    email.flatMap { try? EmailAddress($0) }?.isAppleRelay == true
  }

  public init(
    email: String? = nil, displayName: String? = nil, photoURL: String? = nil,
    phoneNumber: String? = nil, screenName: String? = nil, language: String? = nil,
    dateOfBirth: String? = nil
  ) {
    self.email = email
    self.displayName = displayName
    self.photoURL = photoURL
    self.phoneNumber = phoneNumber
    self.screenName = screenName
    self.language = language
    self.dateOfBirth = dateOfBirth
  }
}

/// Something only the person knows or holds, in stored form: a password hash, never the password.
public struct StoredSecret: Hashable, Sendable, Codable {
  /// The self-describing text that the provider made and can verify.
  public var encoded: String
  /// When the person last chose it; a rehash of the same secret leaves it alone.
  public var changedAt: Timestamp

  public init(encoded: String, changedAt: Timestamp) {
    self.encoded = encoded
    self.changedAt = changedAt
  }
}

/// One way to sign in that an account owns: an entry of `providerData`.
public struct Identity: Hashable, Sendable, Codable {
  /// How the identity came to the account.
  public enum Origin: String, Hashable, Sendable, Codable {
    /// A credential was verified.
    case credential
    /// An admin said so.
    case assertion
    /// An import brought it.
    case imported
  }

  public private(set) var key: IdentityKey
  public var profile: IdentityProfile
  /// Whether the provider vouched for the profile's e-mail; counts only where the provider is trusted.
  public var emailVerified: Bool
  public var origin: Origin
  public var linkedAt: Timestamp
  public var lastSignInAt: Timestamp?
  public var secret: StoredSecret?
  /// What this identity replaced, whose keys are the account's until the rekey ends.
  public var predecessors: [Predecessor]

  public init(
    key: IdentityKey, profile: IdentityProfile = IdentityProfile(), emailVerified: Bool = false,
    origin: Origin, linkedAt: Timestamp, lastSignInAt: Timestamp? = nil,
    secret: StoredSecret? = nil, predecessors: [Predecessor] = []
  ) {
    self.key = key
    self.profile = profile
    self.emailVerified = emailVerified
    self.origin = origin
    self.linkedAt = linkedAt
    self.lastSignInAt = lastSignInAt
    self.secret = secret
    self.predecessors = predecessors
  }

  public var provider: ProviderID { key.provider }
}

extension Identity: FieldRecord {
  package static var blank: Identity {
    Identity(
      key: IdentityKey(ProviderID(""), subject: ""), origin: .credential,
      linkedAt: Timestamp(milliseconds: 0))
  }

  package static let fields: FieldList<Identity> = [
    Field("key", \.key),
    Field("profile", \.profile),
    Field("emailVerified", \.emailVerified),
    Field("origin", \.origin),
    Field("linkedAt", \.linkedAt),
    Field("lastSignInAt", \.lastSignInAt),
    Field("secret", \.secret),
    Field(later: "predecessors", \.predecessors),
  ]
}

extension Identity.Origin: FieldValue {}

extension IdentityProfile: FieldRecord {
  package static var blank: IdentityProfile { IdentityProfile() }
  package static let fields: FieldList<IdentityProfile> = [
    Field("email", \.email),
    Field("displayName", \.displayName),
    Field("photoURL", \.photoURL),
    Field("phoneNumber", \.phoneNumber),
    Field("screenName", \.screenName),
    Field("language", \.language),
    Field("dateOfBirth", \.dateOfBirth),
  ]
}

extension StoredSecret: FieldRecord {
  package static var blank: StoredSecret {
    StoredSecret(encoded: "", changedAt: Timestamp(milliseconds: 0))
  }
  package static let fields: FieldList<StoredSecret> = [
    Field("encoded", \.encoded), Field("changedAt", \.changedAt),
  ]
}

/// By their keys: to go through identities themselves copies all that each has.
extension [Identity] {
  var keys: [IdentityKey] { indices.map { self[$0].key } }

  /// The place of the one that a key leads to, also by a key that was replaced.
  func index(reachedBy key: IdentityKey) -> Int? {
    indices.first {
      self[$0].key == key || (!self[$0].predecessors.isEmpty && self[$0].owns(key))
    }
  }

  /// The place of the first one of a provider.
  func index(of provider: ProviderID) -> Int? {
    indices.first { self[$0].key.provider == provider }
  }
}
