import AuthCore
import IdentityToolkit

/// Decisions on codes by e-mail and phone, and on the links around them.
protocol MessageBehavior: Sendable {
  /// Returns the language of a link.
  func language(ofLinkIn call: Call) -> String
  /// The path of the page behind a link.
  var actionPath: String { get }
  /// Returns the API key for a link. JavaScript's client accepts no sign-in link without one.
  func key(ofLinkIn call: Call) -> String
  /// Checks that a link may lead on to an address.
  func check(_ url: ContinueURL, _ call: Call) async throws
  /// Checks a request's fields on the app that opens the link.
  func checkApp(of call: Call) throws(WireError)
  /// Returns the domain that a request chooses for its link; nil for the server's own.
  ///
  /// Throws `INVALID_HOSTING_LINK_DOMAIN` for a domain that the settings do not name.
  func linkDomain(of call: Call) async throws -> String?
  /// Returns the error for a kind of code that clients cannot request.
  func refusal(ofRequestType type: String) -> WireError
  /// Tells whether an admin may request a code for an account without an ID token.
  func believesAdmin(_ request: OobRequest) -> Bool
  /// The error for a reset while the password provider is closed.
  var closedReset: WireError { get }
  /// Returns the error for a request without a number, given production's code.
  func missingNumber(_ code: String) -> WireError
  /// Checks a number before a code is sent to it.
  func checkRecipient(_ number: PhoneNumber, _ call: Call) async throws
  /// Checks that the client signs in with a number for the operation that it names.
  func hold(
    to operation: String, _ credential: Credential, _ signedIn: SignedIn?, _ call: Call
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

  func linkDomain(of call: Call) async throws -> String? {
    guard let domain = try call.body.filled("linkDomain")?.lowercased(),
      domain != ContinueURL(call.services.settings.publicURL)?.host
    else { return nil }
    let allowed = try await call.settings().signIn.linkDomains.map { $0.lowercased() }
    guard allowed.contains(domain), ContinueURL("https://\(domain)")?.host == domain else {
      throw WireError(
        "INVALID_HOSTING_LINK_DOMAIN", "The linkDomain is not one of the project's link domains.")
    }
    return domain
  }

  func refusal(ofRequestType type: String) -> WireError { WireError("INVALID_REQ_TYPE") }
  func believesAdmin(_ request: OobRequest) -> Bool { true }
  var closedReset: WireError { WireError(telling: .closed(.password)) }
  func missingNumber(_ code: String) -> WireError { WireError(code) }

  // That the number is a second factor is a fact about the account, so only a client with the code learns it.
  func checkRecipient(_ number: PhoneNumber, _ call: Call) async throws {}

  func hold(
    to operation: String, _ credential: Credential, _ signedIn: SignedIn?, _ call: Call
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
