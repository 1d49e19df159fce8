import AuthCore
import IdentityToolkit

/// The emulator's stand-in for every vendor.
struct EmulatedVendorHandler: RequestHandler {
  let call: Call

  /// Shows the sign-in page of every vendor: known identities to choose from, and a form for a new one.
  func openPage() async throws -> Answer {
    let provider = try query.filled("providerId")
    guard let key = try query.filled("apiKey"), let provider else {
      return .json(
        [
          "authEmulator": [
            "error": "missing apiKey or providerId query parameters",
            "instructions": "Open this page by a client's sign-in with a provider.",
          ]
        ], status: 400)
    }
    let tenant = try query.filled("tid") ?? query.filled("tenantId")
    let scope = Scope(project: project, tenant: tenant)
    try await services.scopes.require(scope)
    var page: [String: JSONValue] = [
      "apiKey": .string(key), "providerId": .string(provider),
      "identities": .array(try await identities(of: ProviderID(provider), in: scope)),
    ]
    page["tenantId"] = tenant.map(JSONValue.string)
    for name in ["appName", "authType", "eventId", "redirectUrl", "clientId", "appId", "ibi"] {
      page[name] = try query.filled(name).map(JSONValue.string)
    }
    return .page(
      EmulatorPages.vendor(.object(page)),
      headers: ["Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"])
  }

  /// Shows the frame that passes the page's result to the app that opened it.
  func openFrame() async throws -> Answer {
    guard let key = try query.filled("apiKey"), let name = try query.filled("appName") else {
      return .json(
        ["authEmulator": ["error": "missing apiKey or appName query parameters"]], status: 400)
    }
    return .page(
      EmulatorPages.frame(["apiKey": .string(key), "appName": .string(name)]),
      headers: ["Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"])
  }

  /// Returns the claims of the identities that signed in with a provider.
  private func identities(of provider: ProviderID, in scope: Scope) async throws -> [JSONValue] {
    var filter = AccountFilter()
    filter.providerID = provider
    let accounts = try await graph.accounts(matching: filter, limit: 100, in: scope)
    return accounts.flatMap { $0.identities(of: provider) }.map { identity in
      var claims: [String: JSONValue] = ["sub": .string(identity.key.subject)]
      claims["email"] = identity.profile.email.map(JSONValue.string)
      claims["name"] = identity.profile.displayName.map(JSONValue.string)
      claims["picture"] = identity.profile.photoURL.map(JSONValue.string)
      claims["screen_name"] = identity.profile.screenName.map(JSONValue.string)
      return .object(claims)
    }
  }
}
