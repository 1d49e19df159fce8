/// The requirements of an ID token, as data that ``IDTokenVerifier`` executes.
///
/// What is not declared is refused: without an issuer, audience or algorithm, no token passes.
public struct IDTokenDeclaration: Sendable, Hashable {
  /// The exact texts that `iss` may be.
  public var issuers: [String]
  /// The client IDs, at least one of them in `aud`.
  ///
  /// If `aud` names several clients, the token needs an `azp` too; an `azp` always has to be one of these.
  public var audiences: [String]
  /// The source of the issuer's public keys.
  public var keys: KeySource
  /// The rule for the issuer that a key set names for a key.
  public var keyIssuer: KeyIssuerRule = .any
  /// The algorithms that a token may be signed with.
  public var algorithms: [SigningAlgorithm]
  /// The rule for the nonce.
  public var nonce: NonceRule
  /// The tolerated difference between the clocks of issuer and verifier in seconds, for `exp`, `nbf` and `iat`.
  public var leeway: Int64 = 60
  /// The age after `iat` at which a token expires, in seconds, regardless of its `exp`; nil for no such limit.
  public var maximumAge: Int64?
  /// True if the texts "true" and "false" count as booleans, as Apple and Cognito write them.
  public var booleansMayBeText = false
  /// Hosts, as `host` or `host:port`, that an admin allowed to be private and without TLS.
  public var privateHosts: [String] = []

  /// Makes a declaration.
  public init(
    issuers: [String], audiences: [String], keys: KeySource, algorithms: [SigningAlgorithm],
    nonce: NonceRule, leeway: Int64 = 60, maximumAge: Int64? = nil,
    booleansMayBeText: Bool = false, privateHosts: [String] = [],
    keyIssuer: KeyIssuerRule = .any
  ) {
    self.issuers = issuers
    self.audiences = audiences
    self.keys = keys
    self.keyIssuer = keyIssuer
    self.algorithms = algorithms
    self.nonce = nonce
    self.leeway = leeway
    self.maximumAge = maximumAge
    self.booleansMayBeText = booleansMayBeText
    self.privateHosts = privateHosts
  }
}

/// The source of an issuer's public keys, which is never the token.
public enum KeySource: Sendable, Hashable {
  /// A JSON Web Key Set (RFC 7517) at an address of the issuer.
  case jwks(url: String)
  /// Keys that are known beforehand: each a JSON Web Key, a whole key set, or a public key in PEM.
  case fixed([String])
}

/// The rule for the issuer that a key set names for a key, in the member `issuer` of its JSON Web Key.
///
/// Microsoft publishes one key set for every tenant, and says there which issuer a key signs for.
public enum KeyIssuerRule: Sendable, Hashable {
  /// The member is ignored.
  case any
  /// The member has to be the token's `iss`, with `{tenantid}` in it standing for the token's `tid`.
  ///
  /// A key without the member signs for every issuer of the declaration.
  case sameAsToken
}

/// The rule for a token's nonce: its presence and its form.
public struct NonceRule: Sendable, Hashable {
  /// The requirement for the presence of a nonce.
  public enum Presence: Sendable, Hashable {
    /// No nonce was given; a token or a credential with a nonce is refused.
    case none
    /// Either both the token and the credential have a nonce, and they match, or neither has.
    case optional
    /// Both need a nonce.
    case required
    /// The token's nonce is ignored.
    ///
    /// Only for a token that came for a refresh token, straight from the issuer: it may repeat the nonce of the
    /// first sign-in, which is no longer known (OpenID Connect Core 12.2).
    case ignored
  }

  /// The relation between the claim `nonce` and the credential's nonce.
  public enum Form: Sendable, Hashable {
    case plain
    /// The lower-case hexadecimal SHA-256 of the nonce, so that the token does not reveal it.
    case sha256Hex
    /// Either form.
    ///
    /// An attacker with a token can give its own claim as the nonce, so ``IDTokenClaims/uses`` has to prevent
    /// replay.
    case either
  }

  /// The requirement for the presence of a nonce.
  public var presence: Presence
  /// The form of the nonce in the token.
  public var form: Form

  /// Makes a rule.
  public init(_ presence: Presence, form: Form = .plain) {
    self.presence = presence
    self.form = form
  }

  /// No nonce is allowed.
  public static let none = NonceRule(.none)
  /// An optional plain nonce.
  public static let optional = NonceRule(.optional)
  /// A required plain nonce.
  public static let required = NonceRule(.required)
}
