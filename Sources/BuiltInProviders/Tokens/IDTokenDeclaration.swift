public import AuthCore

/// What an ID token has to say to be believed, as data; ``IDTokenVerifier`` executes it.
///
/// What is not declared is refused: with no issuer, audience or algorithm in it, no token passes.
public struct IDTokenDeclaration: Sendable, Hashable {
  /// The exact texts that `iss` may be.
  public var issuers: [String]
  /// The client IDs one of which `aud` has to name.
  ///
  /// Where `aud` names several, the token has to have an `azp` too; an `azp` always has to be one of these.
  public var audiences: [String]
  public var keys: KeySource
  public var algorithms: [SigningAlgorithm]
  public var nonce: NonceRule
  /// How many seconds the clocks of issuer and verifier may differ, for `exp`, `nbf` and `iat`.
  public var leeway: Int64 = 60
  /// How many seconds a token is good for after `iat`, whatever its `exp` says; nil for no such limit.
  public var maximumAge: Int64?
  /// Whether the texts "true" and "false" count as booleans, as Apple and Cognito write them.
  public var booleansMayBeText = false
  /// Hosts, as `host` or `host:port`, that an admin allowed to be private and without TLS.
  public var privateHosts: [String] = []

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

/// Where the public keys of an issuer come from; never from the token.
public enum KeySource: Sendable, Hashable {
  /// A JSON Web Key Set (RFC 7517) at an address of the issuer.
  case jwks(url: String)
  /// Keys that are known beforehand: each a JSON Web Key, a whole key set, or a public key in PEM.
  case fixed([String])
}

/// Whether a token has to have a nonce, and how it holds it.
public struct NonceRule: Sendable, Hashable {
  public enum Presence: Sendable, Hashable {
    /// Nobody gave a nonce; a token or a credential that has one is refused.
    case none
    /// Either both the token and the credential have it, and they fit, or neither has.
    case optional
    /// Both have to have it.
    case required
    /// The token's nonce is not looked at.
    ///
    /// Only for a token that came for a refresh token, straight from the issuer: it may repeat the
    /// nonce of the first sign-in, which nobody knows any more (OpenID Connect Core 12.2).
    case ignored
  }

  /// How the claim `nonce` follows from the nonce that the credential gives.
  public enum Form: Sendable, Hashable {
    case plain
    /// The lower-case hexadecimal SHA-256 of it, so that who sees the token does not know it.
    case sha256Hex
    /// Either of them.
    ///
    /// Who got hold of a token can give its own claim as the nonce; replay is then for
    /// ``IDTokenClaims/uses``.
    case either
  }

  public var presence: Presence
  public var form: Form

  public init(_ presence: Presence, form: Form = .plain) {
    self.presence = presence
    self.form = form
  }

  public static let none = NonceRule(.none)
  public static let optional = NonceRule(.optional)
  public static let required = NonceRule(.required)
}
