/// A provider whose vendor signs in with a browser: authorization code with PKCE.
///
/// The graph makes and stores state, nonce and code verifier, and checks the callback; the provider knows the vendor's
/// endpoints. Its builder named `authorizationCode` takes the fields of ``AuthorizationGrant/credentialFields``.
public protocol AuthorizationFlow: AuthProvider {
  /// Returns the URL to open in the browser.
  func authorizationURL(
    _ request: AuthorizationGrant, _ context: VerificationContext
  ) async throws -> String

  /// Returns the issuer that the callback has to name as `iss` (RFC 9207); nil if the vendor does not announce it.
  ///
  /// A callback that names another issuer is refused even if none is required.
  func callbackIssuer(_ context: VerificationContext) async throws -> CallbackIssuer

  /// Returns the credential's fields from the callback's parameters.
  ///
  /// Throws `invalid-credential` with the step `state` if one is missing.
  func credentialFields(from callback: [String: String]) throws(AuthError) -> [String: String]
}

extension AuthorizationFlow {
  /// Returns the authorization code.
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
  /// Returns the error for a refused callback.
  public static func refusedCallback(_ why: String, field: String? = nil) -> AuthError {
    AuthError(
      .invalidCredential, "The callback is refused: \(why).", field: field,
      remedy: "Begin the sign-in again.", step: .state)
  }
}

/// The refusals of a provider that lacks an ability.
extension AuthError {
  /// Returns the error of a provider without ``AuthorizationFlow``.
  package static func noBrowserFlow(_ provider: ProviderID) -> AuthError {
    AuthError(
      .operationNotAllowed, "The provider \(provider) has no sign-in by browser.",
      field: "providerID", remedy: "Make one of its credentials instead.", step: .state)
  }

  /// Returns the error of a provider without ``Revoking``.
  package static func noRevocation(_ provider: ProviderID) -> AuthError {
    AuthError(
      .operationNotAllowed, "The provider \(provider) cannot revoke tokens.", field: "providerID",
      remedy: "End the grant at the vendor itself.", step: .credential)
  }

  /// Returns the error of a provider without ``Refreshing``.
  package static func noRenewal(_ provider: ProviderID) -> AuthError {
    AuthError(
      .operationNotAllowed, "The provider \(provider) cannot renew an identity.",
      field: "providerID", remedy: "Sign in again.", step: .credential)
  }
}

/// The issuer that a callback may or must name.
public struct CallbackIssuer: Sendable, Hashable {
  /// The vendor's issuer.
  public let issuer: String?
  /// True if the vendor announces that it sends the issuer.
  public let isRequired: Bool

  /// Makes an expectation.
  public init(_ issuer: String?, isRequired: Bool) {
    self.issuer = issuer
    self.isRequired = isRequired
  }
}

/// The values of one browser sign-in.
public struct AuthorizationGrant: Sendable {
  /// The state parameter, which returns with the callback.
  public let state: String
  /// The nonce, which returns in the ID token.
  public let nonce: String
  /// The PKCE verifier (RFC 7636); the vendor gets its SHA-256 first, and the verifier only with the code.
  public let codeVerifier: Secret<String>
  /// The URI to which the vendor redirects the browser.
  public let redirectURI: String
  /// Scopes beyond those that the provider always requests.
  public let scopes: [String]
  /// Further parameters of the authorization URL, such as `login_hint`.
  public let parameters: [String: String]

  /// Makes a grant.
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

  /// The time limit of a browser sign-in, in seconds.
  public static let lifetime: Int64 = 900

  /// The name of the builder that a provider with this ability has.
  public static let builderName = "authorizationCode"
  /// The fields of that builder.
  public static let credentialFields = [
    CredentialField("code", secret: true, "the authorization code from the callback"),
    CredentialField("redirectURI", type: .url, "the redirect URI of the request"),
    CredentialField(
      "codeVerifier", secret: true, required: false, "the PKCE verifier of the request"),
    CredentialField("nonce", secret: true, required: false, "the nonce of the request"),
  ]
}

/// A provider that sends a code or a link, and verifies it when it comes back.
public protocol ChallengeIssuing: AuthProvider {
  /// Sends a proof to the recipient.
  ///
  /// Throws `invalid-phone-number` or `invalid-email`, `too-many-requests`, or an error of the sender.
  func issueChallenge(
    _ request: ChallengeRequest, _ context: VerificationContext
  ) async throws -> Challenge

  /// Checks that a message may be sent to a recipient at all, or throws `operation-not-allowed`.
  func checkRecipient(_ recipient: String, _ context: VerificationContext) async throws

  /// Returns the code that an admin fixed for a recipient, who is sent none; nil for all others.
  func fixedCode(
    for recipient: String, _ context: VerificationContext
  ) async throws -> Secret<String>?
}

extension ChallengeIssuing {
  /// Accepts every recipient.
  public func checkRecipient(_ recipient: String, _ context: VerificationContext) async throws {}

  /// Returns nil: no code is fixed.
  public func fixedCode(
    for recipient: String, _ context: VerificationContext
  ) async throws -> Secret<String>? { nil }
}

/// The recipient and the use of a proof to send.
public struct ChallengeRequest: Sendable {
  /// A phone number or an e-mail address.
  public var recipient: String
  /// The only account that may link the proof; nil for a sign-in.
  public var account: AccountID?
  /// The destination of an e-mailed link.
  public var continueURL: String?
  /// The origin of the request as the recipient sees it.
  public var requestedFrom: String?

  /// Makes a request.
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

/// A proof that was sent.
public struct Challenge: Sendable, Hashable {
  /// The ID of the proof, which the client sends back with the code.
  public let verificationID: String
  /// The time until which the proof works.
  public let expiresAt: Timestamp

  /// Makes the answer to a request.
  public init(verificationID: String, expiresAt: Timestamp) {
    self.verificationID = verificationID
    self.expiresAt = expiresAt
  }
}

/// A provider that checks its settings beyond their names and types.
public protocol SettingsChecking: AuthProvider {
  /// Checks new settings, or throws `invalid-argument` naming the field.
  func check(_ settings: ProviderSettings) throws
}

/// A provider whose vendor can revoke a grant.
public protocol Revoking: AuthProvider {
  /// Revokes a token, or the grant of an authorization code.
  func revoke(_ token: RevocationToken, _ context: VerificationContext) async throws
}

/// A token that a vendor can revoke.
public enum RevocationToken: Sendable {
  /// An access token.
  case accessToken(Secret<String>)
  /// A refresh token.
  case refreshToken(Secret<String>)
  /// An authorization code, with the redirect URI of its request.
  case authorizationCode(Secret<String>, redirectURI: String?)
}

/// A provider whose vendor renews an identity with a refresh token.
public protocol Refreshing: AuthProvider {
  /// Renews an identity.
  ///
  /// Throws `user-mismatch` if the vendor names another subject than the key's.
  func refresh(
    _ refreshToken: Secret<String>, of key: IdentityKey, _ context: VerificationContext
  ) async throws -> VerifiedIdentity
}
