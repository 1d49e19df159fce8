/// A provider whose vendor signs a person in with a browser: authorization code with PKCE.
///
/// The graph makes and keeps state, nonce and code verifier, and checks what comes back; the provider knows
/// the vendor's endpoints. Its builder named `authorizationCode` takes the fields of
/// ``AuthorizationGrant/credentialFields``.
public protocol AuthorizationFlow: AuthProvider {
  /// Where the browser has to go.
  func authorizationURL(
    _ request: AuthorizationGrant, _ context: VerificationContext
  ) async throws -> String

  /// The issuer that the callback has to name as `iss` (RFC 9207), or nil where the vendor does not say it
  /// sends one.
  ///
  /// A callback that names another issuer is refused even where none is expected.
  func callbackIssuer(_ context: VerificationContext) async throws -> CallbackIssuer

  /// What the credential takes over from the callback's parameters, by field.
  ///
  /// Throws `invalid-credential` with the step `state` where something is missing.
  func credentialFields(from callback: [String: String]) throws(AuthError) -> [String: String]
}

extension AuthorizationFlow {
  /// Takes the authorization code over.
  public func credentialFields(
    from callback: [String: String]
  ) throws(AuthError) -> [String: String] {
    guard let code = callback["code"], !code.isEmpty else {
      throw .refusedCallback("it has no code", field: "code")
    }
    return ["code": code]
  }
}

extension AuthError {
  /// The refusal of what a browser came back with.
  public static func refusedCallback(_ why: String, field: String? = nil) -> AuthError {
    AuthError(
      .invalidCredential, "The callback is refused: \(why).", field: field,
      remedy: "Begin the sign-in again.", step: .state)
  }
}

/// What a callback may say about who sent it.
public struct CallbackIssuer: Sendable, Hashable {
  /// The vendor's issuer.
  public let issuer: String?
  /// Whether the vendor promised to send it.
  public let isRequired: Bool

  public init(_ issuer: String?, isRequired: Bool) {
    self.issuer = issuer
    self.isRequired = isRequired
  }
}

/// The values of one sign-in in a browser.
public struct AuthorizationGrant: Sendable {
  public let state: String
  public let nonce: String
  /// The PKCE verifier (RFC 7636); the vendor sees its SHA-256 first and itself only with the code.
  public let codeVerifier: Secret<String>
  public let redirectURI: String
  /// Further scopes than the provider asks for anyway.
  public let scopes: [String]
  /// Further parameters of the authorize URL, such as `login_hint`.
  public let parameters: [String: String]

  public init(
    state: String, nonce: String, codeVerifier: Secret<String>, redirectURI: String,
    scopes: [String] = [], parameters: [String: String] = [:]
  ) {
    self.state = state
    self.nonce = nonce
    self.codeVerifier = codeVerifier
    self.redirectURI = redirectURI
    self.scopes = scopes
    self.parameters = parameters
  }

  /// How long a browser may be away, in seconds.
  public static let lifetime: Int64 = 900

  /// The builder that a provider with this ability has.
  public static let builderName = "authorizationCode"
  /// The fields of that builder.
  public static let credentialFields = [
    CredentialField("code", secret: true, "the authorization code from the callback"),
    CredentialField("redirectURI", type: .url, "where the callback went, as it was asked for"),
    CredentialField(
      "codeVerifier", secret: true, required: false, "the PKCE verifier of the request"),
    CredentialField("nonce", secret: true, required: false, "the nonce of the request"),
  ]
}

/// A provider that sends a code or a link, and believes who brings it back.
public protocol ChallengeIssuing: AuthProvider {
  /// Sends a proof to the recipient.
  ///
  /// Throws `invalid-phone-number` or `invalid-email`, `too-many-requests`, or what the sender throws.
  func issueChallenge(
    _ request: ChallengeRequest, _ context: VerificationContext
  ) async throws -> Challenge

  /// Checks that something may be sent to a recipient at all; throws `operation-not-allowed`.
  func checkRecipient(_ recipient: String, _ context: VerificationContext) async throws

  /// The code that an admin chose for a recipient, who is then sent none; nil for everybody else.
  func fixedCode(
    for recipient: String, _ context: VerificationContext
  ) async throws -> Secret<String>?
}

extension ChallengeIssuing {
  /// Refuses nobody.
  public func checkRecipient(_ recipient: String, _ context: VerificationContext) async throws {}

  /// Chooses nothing.
  public func fixedCode(
    for recipient: String, _ context: VerificationContext
  ) async throws -> Secret<String>? { nil }
}

/// Whom to send a proof, and what it will be good for.
public struct ChallengeRequest: Sendable {
  /// A phone number or an e-mail address.
  public var recipient: String
  /// The account that alone may use the proof, to link it; nil for a sign-in.
  public var account: AccountID?
  /// Where an e-mail's link leads.
  public var continueURL: String?
  /// What the recipient is told about who asked.
  public var requestedFrom: String?

  public init(
    recipient: String, account: AccountID? = nil, continueURL: String? = nil,
    requestedFrom: String? = nil
  ) {
    self.recipient = recipient
    self.account = account
    self.continueURL = continueURL
    self.requestedFrom = requestedFrom
  }
}

/// A proof that is on its way.
public struct Challenge: Sendable, Hashable {
  /// Names it, to be given back with the code.
  public let verificationID: String
  public let expiresAt: Timestamp

  public init(verificationID: String, expiresAt: Timestamp) {
    self.verificationID = verificationID
    self.expiresAt = expiresAt
  }
}

/// A provider that knows more about its settings than their names and types.
public protocol SettingsChecking: AuthProvider {
  /// Checks settings as they would be; throws `invalid-argument` naming the field.
  func check(_ settings: ProviderSettings) throws
}

/// A provider whose vendor can be told that a grant is over.
public protocol Revoking: AuthProvider {
  /// Revokes a token, or what an authorization code stands for.
  func revoke(_ token: RevocationToken, _ context: VerificationContext) async throws
}

/// What a vendor can revoke.
public enum RevocationToken: Sendable {
  case accessToken(Secret<String>)
  case refreshToken(Secret<String>)
  case authorizationCode(Secret<String>, redirectURI: String?)
}

/// A provider whose vendor renews what it said.
public protocol Refreshing: AuthProvider {
  /// Renews an identity.
  ///
  /// Throws `user-mismatch` where the vendor now speaks of another subject than the one given.
  func refresh(
    _ refreshToken: Secret<String>, of key: IdentityKey, _ context: VerificationContext
  ) async throws -> VerifiedIdentity
}
