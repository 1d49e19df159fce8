import AuthCore
import IdentityToolkit

/// Codes by e-mail and to phones, and the links around them.
protocol MessageBehavior: Sendable {
  /// The language of a link.
  func language(ofLinkIn call: Call) -> String
  /// The path of the page that a link leads to.
  var actionPath: String { get }
  /// The API key in a link; JavaScript's client takes no sign-in link that lacks one.
  func key(ofLinkIn call: Call) -> String
  /// Checks that a link may lead on to an address.
  func check(_ url: ContinueURL, _ call: Call) async throws
  /// Checks what a request for a code says about the app that opens the link.
  func checkApp(of call: Call) throws(WireError)
  /// The answer to a request for a kind of code that clients get none of.
  func refusal(ofRequestType type: String) -> WireError
  /// Whether an admin needs no ID token to ask for a code of an account's owner.
  func believesAdmin(_ request: OobRequest) -> Bool
  /// The answer to a reset while no password signs in.
  var closedReset: WireError { get }
  /// The answer to a request without a number, given production's code.
  func missingNumber(_ code: String) -> WireError
  /// Checks a number before a code is sent to it.
  func checkRecipient(_ number: PhoneNumber, _ call: Call) async throws
  /// Holds a client to the operation that it says it signs in with a number for.
  func hold(
    to operation: String, _ credential: AuthCredential, _ signedIn: SignedIn?, _ call: Call
  ) async throws
}

extension MessageBehavior {
  func language(ofLinkIn call: Call) -> String { WireLanguage(call.client.locale).tag }
  var actionPath: String { "/__/auth/action" }

  func key(ofLinkIn call: Call) -> String {
    let own = call.services.settings.apiKeys.filter { $0.value == call.project }.keys.min()
    return (try? call.query.filled("key")) ?? call.headers["x-goog-api-key"] ?? own ?? call.project
  }

  func check(_ url: ContinueURL, _ call: Call) async throws {
    let settings = try await call.settings().signIn
    guard url.isAuthorized(settings, publicURL: call.services.settings.publicURL) else {
      throw WireError(
        "UNAUTHORIZED_DOMAIN", "The domain of the continueUrl is not one of the project's.")
    }
  }

  func checkApp(of call: Call) throws(WireError) { try OobRequest.checkApp(call) }
  func refusal(ofRequestType type: String) -> WireError { WireError("INVALID_REQ_TYPE") }
  func believesAdmin(_ request: OobRequest) -> Bool { true }
  var closedReset: WireError { WireError("OPERATION_NOT_ALLOWED") }
  func missingNumber(_ code: String) -> WireError { WireError(code) }

  // Only whoever shows the code is told that the number is a second factor: it says something about the account.
  func checkRecipient(_ number: PhoneNumber, _ call: Call) async throws {}

  func hold(
    to operation: String, _ credential: AuthCredential, _ signedIn: SignedIn?, _ call: Call
  ) async throws {
    switch operation {
    case "REAUTH" where signedIn == nil:
      var rehearsing = call.caller
      rehearsing.dryRun = true
      let result = try await call.graph.signIn(credential, by: rehearsing)
      if result.isNewUser { throw WireError("USER_NOT_FOUND") }
    case "LINK", "UPDATE":
      if signedIn == nil { throw WireError("MISSING_ID_TOKEN") }
    default: break
    }
  }
}
