import AuthCore
import IdentityToolkit

/// The parameters with which an app's page begins a sign-in.
extension BrowserHandler {
  /// Returns the project of the API key, with the tenant that the app names.
  func scope(of asked: [String: String]) async throws -> Scope {
    guard let key = asked["apiKey"], !key.isEmpty else { throw WireError.missingKey }
    let project = try behavior.project(ofKey: key, services.settings)
    let tenant = asked["tid"] ?? asked["tenantId"]
    let scope = Scope(project: project, tenant: tenant.flatMap { $0.isEmpty ? nil : $0 })
    try await services.scopes.require(scope)
    return scope
  }

  /// Returns the address to go back to.
  static func address(
    _ asked: [String: String], of web: WebSignIn?
  ) throws(WireError) -> String {
    guard let address = asked["redirectUrl"], !address.isEmpty else {
      throw WireError("MISSING_CONTINUE_URI")
    }
    guard web?.operation.isPopup == true else { return address }
    // The page that waits for a popup is known by its origin, and the rest may be long.
    return String(address.prefix { $0 != "?" && $0 != "#" })
  }

  /// Throws `INVALID_CONTINUE_URI`, or `UNAUTHORIZED_DOMAIN` for an address to which no sign-in may lead.
  func requireDomain(of address: String, in scope: Scope) async throws {
    guard let url = ContinueURL(address) else { throw WireError("INVALID_CONTINUE_URI") }
    let settings = try await graph.settings(of: scope)
    guard url.takesCredentials(settings.signIn, publicURL: services.settings.publicURL) else {
      throw WireError("UNAUTHORIZED_DOMAIN")
    }
  }

  /// Throws if the browser loads the answer into anything but a page of its own, such as a script's memory.
  func requirePage() throws(WireError) {
    guard [nil, "document"].contains(call.headers["sec-fetch-dest"]) else {
      throw WireError("INVALID_REQUEST")
    }
  }

  /// Returns the return of a sign-in for an app that takes the answer in the fragment of its own address.
  static func place(
    of asked: [String: String], at address: String, for provider: ProviderID, in scope: Scope,
    _ cookie: BrowserCookie
  ) -> BrowserReturn {
    var echoed: [String: String] = [:]
    echoed["eventId"] = asked["eventId"]
    let session: String
    if let digest = asked["sessionId"], !digest.isEmpty {
      session = digest.lowercased()
    } else {
      let made = BrowserCookie.newValue()
      session = BrowserReturn.digest(ofSession: made)
      echoed["sessionId"] = made
    }
    return BrowserReturn(
      address: address, provider: provider, scope: scope,
      ending: .server(cookie: cookie, session: session), echoed: echoed)
  }

  /// Reads a list, as JSON or separated by commas.
  static func scopes(_ text: String?) throws(WireError) -> [String] {
    guard let text, !text.isEmpty else { return [] }
    let most = RouteBounds.scopes
    if case .array(let values)? = try RouteBounds.json(text, of: "scopes", most: most) {
      return values.compactMap(\.stringValue)
    }
    return try RouteBounds.words(text, of: "scopes", most: most)
  }

  /// Reads a JSON object of texts.
  static func parameters(_ text: String?) throws(WireError) -> [String: String] {
    let most = RouteBounds.customParameters
    guard let text,
      case .object(let members)? = try RouteBounds.json(text, of: "customParameters", most: most)
    else { return [:] }
    return members.compactMapValues(\.stringValue)
  }
}
