import AuthCore
import IdentityToolkit

/// Signing in with what an identity provider gave an app.
protocol FederationBehavior: Sendable {
  /// Returns what a refusal repeats of the address that a provider led to, whole or without its parameters.
  func repeated(_ whole: @autoclosure () -> String, without parameters: String) -> String
  /// Reads what a request signs in with, and has it verified.
  func request(
    _ parameters: IdPParameters, _ handler: FederatedHandler
  ) async throws -> IdPRequest
  /// The outcomes that have a pending token, with which the app goes on.
  func keepsCredential(of request: IdPRequest) -> @Sendable (AuthError?) -> Bool
  /// Whether an account has to be there already: clients say so when a person shows again who they are.
  func signsInOnly(_ body: WireFields) throws(WireError) -> Bool
  /// Returns the account's address if the provider gave another one.
  func originalEmail(of account: Account, given: String?) -> String?
  /// Checks that a provider's answer may go to an address.
  func checkReturn(to url: ContinueURL, _ settings: SignInSettings, publicURL: String)
    throws(WireError)
  /// Accounts that have another address, or none, and to which a provider gave this one.
  func accounts(given email: EmailAddress, _ call: Call) async throws -> [Account]
}

extension FederationBehavior {
  // The parameters are credentials.
  func repeated(_ whole: @autoclosure () -> String, without parameters: String) -> String {
    parameters
  }

  func request(
    _ parameters: IdPParameters, _ handler: FederatedHandler
  ) async throws -> IdPRequest {
    try await handler.verified(parameters)
  }

  /// Successes, and refusals that are answers on the wire.
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
