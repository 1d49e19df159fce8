/// What an ID token has to say to be believed: data, which ``IDTokenVerifier`` executes.
///
/// Whatever is not declared is refused.
public struct IDTokenDeclaration: Sendable, Hashable {
  /// The exact texts that `iss` may be.
  public var issuers: [String]
  /// Our clients: one of them has to be in `aud`, and `azp` has to be one where it is there.
  public var audiences: [String]
  public var keys: KeySource
  public var algorithms: [SigningAlgorithm]
  public var nonce: NonceRule
  /// How far the clocks may be apart, in seconds.
  public var leeway: Int64
  /// How old a token may be since `iat`, in seconds; nil leaves that to `exp`.
  public var maximumAge: Int64?
  /// Whether `"true"` counts as true, as at Apple and Cognito.
  public var booleansMayBeText: Bool
  /// Hosts that may be private and without TLS when the keys are fetched.
  public var privateHosts: [String]

  public init(
    issuers: [String], audiences: [String], keys: KeySource, algorithms: [SigningAlgorithm],
    nonce: NonceRule, leeway: Int64 = 60, maximumAge: Int64? = nil,
    booleansMayBeText: Bool = false, privateHosts: [String] = []
  ) {
    self.issuers = issuers
    self.audiences = audiences
    self.keys = keys
    self.algorithms = algorithms
    self.nonce = nonce
    self.leeway = leeway
    self.maximumAge = maximumAge
    self.booleansMayBeText = booleansMayBeText
    self.privateHosts = privateHosts
  }
}

/// Where an issuer's public keys come from; never from a token.
public enum KeySource: Sendable, Hashable {
  /// A JSON Web Key Set (RFC 7517) at an address.
  case jwks(url: String)
  /// These JSON Web Keys, each as JSON.
  case fixed([String])
}

/// A signature algorithm with a key pair (RFC 7518, RFC 8037).
///
/// There is none for `none` or for a shared secret, so neither can be declared.
public enum SigningAlgorithm: String, Sendable, Hashable, CaseIterable {
  case RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA
}

/// What is asked of a token's nonce.
public struct NonceRule: Sendable, Hashable {
  public enum Presence: Sendable, Hashable {
    /// There is none: a token that has one is refused.
    case none
    /// Token and credential both have it, or neither.
    case optional
    case required
    /// Not looked at: for a token that came straight from the vendor without a request of its own.
    case ignored
  }

  /// How the token holds the raw nonce that the credential gives.
  public enum Form: Sendable, Hashable {
    case plain
    /// As the SHA-256 of its UTF-8 in lower-case hexadecimal digits.
    case sha256Hex
    case either
  }

  public var presence: Presence
  public var form: Form

  public static let none = NonceRule(.none)
  public static let optional = NonceRule(.optional)
  public static let required = NonceRule(.required)

  public init(_ presence: Presence, form: Form = .plain) {
    self.presence = presence
    self.form = form
  }
}
