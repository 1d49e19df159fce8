/// The key by which an identity is recognised: provider, issuer and the provider's immutable subject.
///
/// The issuer is empty if the provider ID alone identifies the issuer. A provider with several issuers, such as one per
/// company or instance, sets it, so that equal subjects of two issuers stay apart.
public struct IdentityKey: Sendable, Codable, Comparable, CustomStringConvertible {
  /// The provider's ID.
  public let provider: ProviderID
  /// The issuer, or an empty text if the provider has one alone.
  public let issuer: String
  /// The provider's immutable ID of the person.
  public let subject: String

  /// Makes a key.
  public init(_ provider: ProviderID, issuer: String = "", subject: String) {
    self.provider = provider
    self.issuer = issuer
    self.subject = subject
  }

  /// Returns the key of the password for an address.
  public static func password(_ email: EmailAddress) -> IdentityKey {
    IdentityKey(.password, subject: email.canonical)
  }

  /// Returns the key of sign-in links to an address.
  public static func emailLink(_ email: EmailAddress) -> IdentityKey {
    IdentityKey(.emailLink, subject: email.canonical)
  }

  /// Returns the key of a phone number.
  public static func phone(_ number: PhoneNumber) -> IdentityKey {
    IdentityKey(.phone, subject: number.text)
  }

  /// The provider, the issuer if there is one, and the subject, separated by slashes.
  public var description: String {
    issuer.isEmpty ? "\(provider)/\(subject)" : "\(provider)/\(issuer)/\(subject)"
  }

  public static func < (a: IdentityKey, b: IdentityKey) -> Bool {
    (a.provider, a.issuer, a.subject) < (b.provider, b.issuer, b.subject)
  }
}

/// Identity keys are compared byte by byte, as in a store.
///
/// A provider whose subjects differ only in how a letter is composed means two people.
extension IdentityKey: Hashable {
  public static func == (a: IdentityKey, b: IdentityKey) -> Bool {
    a.provider == b.provider && a.issuer.isExactly(b.issuer) && a.subject.isExactly(b.subject)
  }

  public func hash(into hasher: inout Hasher) {
    // Equal bytes are equal strings, so String's own hash is correct.
    hasher.combine(provider)
    hasher.combine(issuer)
    hasher.combine(subject)
  }
}

/// A provider's data about a person; shown to clients, never used to decide who a person is.
public struct IdentityProfile: Hashable, Sendable, Codable {
  /// The e-mail address as the provider wrote it.
  public var email: String?
  /// The name that other people see.
  public var displayName: String?
  /// The URL of a picture.
  public var photoURL: String?
  /// The phone number as the provider wrote it.
  public var phoneNumber: String?
  /// A handle, which X and GitHub call a screen name.
  public var screenName: String?
  /// The language the person reads, as the provider writes it.
  public var language: String?
  /// The person's date of birth, as the provider writes it.
  public var dateOfBirth: String?

  /// True if the address is a relay address that Apple made to hide the person's own.
  ///
  /// Only Apple can vouch for such an address: see ``TrustPolicy/trusts(_:for:)``.
  public var hasRelayAddress: Bool {
    email.flatMap { try? EmailAddress($0) }?.isAppleRelay == true
  }

  /// Makes a profile.
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

/// A secret in stored form, such as a password's hash.
public struct StoredSecret: Hashable, Sendable, Codable {
  /// The self-describing text that the provider made and can verify.
  public var encoded: String
  /// The time the person chose it; a rehash of the same secret does not change it.
  public var changedAt: Timestamp

  /// Makes a stored secret from a provider's text.
  public init(encoded: String, changedAt: Timestamp) {
    self.encoded = encoded
    self.changedAt = changedAt
  }
}

/// A way to sign in that an account owns: an entry of `providerData`.
public struct Identity: Hashable, Sendable, Codable {
  /// The source of an identity.
  public enum Origin: String, Hashable, Sendable, Codable {
    /// A verified credential.
    case credential
    /// An admin's statement.
    case assertion
    /// An import.
    case imported
  }

  /// The key by which the identity is recognised.
  public private(set) var key: IdentityKey
  /// The provider's data about the person, updated by sign-ins.
  public var profile: IdentityProfile
  /// True if the provider vouches for the profile's e-mail; counts only if the provider is trusted.
  public var emailVerified: Bool
  /// The source of the identity.
  public var origin: Origin
  /// The time it was linked.
  public var linkedAt: Timestamp
  /// The time of the last sign-in with it; nil if there was none.
  public var lastSignInAt: Timestamp?
  /// The password's hash or another stored secret; nil for identities of vendors.
  public var secret: StoredSecret?
  /// The identities that this one replaced, whose keys the account owns until the rekey ends.
  public var predecessors: [Predecessor]

  /// Makes an identity.
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

  /// The key's provider.
  public var provider: ProviderID { key.provider }
}

extension Identity: FieldRecord {
  package static var blank: Identity {
    Identity(
      key: IdentityKey(ProviderID(""), subject: ""), origin: .credential,
      linkedAt: Timestamp(milliseconds: 0))
  }

  package static let fields: FieldList<Identity> = [
    Field("key", \.key, audit: .left),
    Field("profile", \.profile, audit: .left),
    Field("emailVerified", \.emailVerified),
    Field("origin", \.origin),
    Field("linkedAt", \.linkedAt, audit: .left),
    Field("lastSignInAt", \.lastSignInAt, audit: .left),
    Field("secret", \.secret, audit: .masked),
    Field(later: "predecessors", \.predecessors, audit: .left),
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

/// Access to identities by their keys, without copying each identity.
extension [Identity] {
  var keys: [IdentityKey] { indices.map { self[$0].key } }

  /// Returns the index of the identity that a key leads to, which may be a key that it replaced.
  func index(reachedBy key: IdentityKey) -> Int? {
    indices.first {
      self[$0].key == key || (!self[$0].predecessors.isEmpty && self[$0].owns(key))
    }
  }

  /// Returns the index of the first identity of a provider.
  func index(of provider: ProviderID) -> Int? {
    indices.first { self[$0].key.provider == provider }
  }
}
