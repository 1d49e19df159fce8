import AuthCore
import IdentityToolkit

/// Decisions on signing in with the credentials of an identity provider.
protocol FederationBehavior: Sendable {
  /// Returns a provider's return address as an error repeats it: whole, or without its parameters.
  func repeated(_ whole: @autoclosure () -> String, without parameters: String) -> String
  /// Reads a request's credential and verifies it.
  func request(
    _ parameters: IdPParameters, _ handler: FederatedHandler
  ) async throws -> IdPRequest
  /// True if requests may name a stored credential by its pending token.
  var takesPendingTokens: Bool { get }
  /// Selects the outcomes whose answer has a pending token, with which the app continues.
  func keepsCredential(of request: IdPRequest) -> @Sendable (AuthError?) -> Bool
  /// Returns true if the request signs in to an existing account only, as for a reauthentication.
  func signsInOnly(_ body: WireFields) throws(WireError) -> Bool
  /// Returns the account's address if it differs from the provider's.
  func originalEmail(of account: Account, given: String?) -> String?
  /// Checks that a provider's answer may be sent to an address.
  func checkReturn(to url: ContinueURL, _ settings: SignInSettings, publicURL: String)
    throws(WireError)
  /// Returns accounts that have this address only from a provider.
  func accounts(given email: EmailAddress, _ call: Call) async throws -> [Account]
}

extension FederationBehavior {
  var takesPendingTokens: Bool { true }

  // The parameters are credentials.
  func repeated(_ whole: @autoclosure () -> String, without parameters: String) -> String {
    parameters
  }

  func request(
    _ parameters: IdPParameters, _ handler: FederatedHandler
  ) async throws -> IdPRequest {
    try await handler.verified(parameters)
  }

  /// Keeps the credential after a success, and after a refusal that the protocol sends as an answer.
  func keepsCredential(of request: IdPRequest) -> @Sendable (AuthError?) -> Bool {
    { error in error.map(request.isAnswered) ?? true }
  }

  func signsInOnly(_ body: WireFields) throws(WireError) -> Bool {
    try body.bool("autoCreate") == false
  }

  func originalEmail(of account: Account, given: String?) -> String? {
    guard let email = account.email, let given,
      (try? EmailAddress(given))?.matches(email) != true
    else { return nil }
    return email.text
  }

  func checkReturn(to url: ContinueURL, _ settings: SignInSettings, publicURL: String)
    throws(WireError)
  {
    guard url.takesCredentials(settings, publicURL: publicURL) else {
      throw WireError("UNAUTHORIZED_DOMAIN")
    }
  }

  func accounts(given email: EmailAddress, _ call: Call) async throws -> [Account] { [] }
}
