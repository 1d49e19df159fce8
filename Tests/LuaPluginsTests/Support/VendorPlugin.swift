import AuthCore
import AuthTesting
import LuaPlugins
import TestSupport

/// A plug-in of kind oauth2 or oidc under test, with a client and its codes.
struct VendorPlugin: Sendable {
  static let api = "https://api.test.example"
  let home = PluginHome()
  let settings: [String: JSONValue] = ["clientID": "the-client"]
  let secrets = ["clientSecret": "the-secret"]
  let grant = AuthorizationGrant(
    state: "s-1", nonce: "n-1", codeVerifier: Secret("v-1"),
    redirectURI: "https://app.example/cb")

  var vendor: ScriptedVendor { home.vendor }

  /// A provider of kind oauth2 with further words.
  func oauth2(_ words: String, userinfo: Bool = true) throws -> any LuaProvider {
    try home.provider(
      """
      return provider {
        id = "test.example", name = "Test", kind = "oauth2", hosts = { "api.test.example" },
        settings = { appName = setting.text { "the app's name", default = "orbit" } },
        authorize = "\(Self.api)/authorize", token = "\(Self.api)/token", scopes = { "a", "b" },
        \(userinfo ? "userinfo = \"\(Self.api)/me\"," : "")
        \(words)
      }
      """)
  }

  func context(
    _ provider: any LuaProvider, _ more: [String: JSONValue] = [:]
  ) -> VerificationContext {
    home.context(provider, settings.merging(more) { $1 }, secrets: secrets)
  }

  /// Signs in with a code, with the values of the grant.
  func signIn(
    _ provider: any LuaProvider, _ more: [String: JSONValue] = [:]
  ) async throws -> VerifiedIdentity {
    let fields = [
      "code": "c-1", "redirectURI": grant.redirectURI, "codeVerifier": "v-1", "nonce": "n-1",
    ]
    let credential = Credential(
      provider: provider.id, builder: AuthorizationGrant.builderName, fields: fields)
    return try await provider.verify(credential, context(provider, more))
  }

  /// The query of the address at which a browser signs in.
  func query(
    _ provider: any LuaProvider, parameters: [String: String] = [:]
  ) async throws -> [String: String] {
    let grant = AuthorizationGrant(
      state: grant.state, nonce: grant.nonce, codeVerifier: grant.codeVerifier,
      redirectURI: grant.redirectURI, parameters: parameters)
    let url = try await provider.authorizationURL(grant, context(provider))
    return URLText.query(of: url) ?? [:]
  }
}
