import AuthClient
import AuthCore
import AuthEmbedded
import IdentityToolkitService

/// The snippets of the article "Set up the project".
enum ProjectSnippets {
  static func admin() -> Caller {
    // snippet: admin
    let admin = Caller(
      scope: Scope(project: "demo-shop"), authority: .admin("setup"), reason: "first start")
    // end
    return admin
  }

  static func configureGoogle(
    _ backend: EmbeddedBackend, clientID: String, by admin: Caller
  ) async throws {
    // snippet: configure Google
    _ = try await backend.graph.configure(
      .google, values: ["clientIDs": [.string(clientID)]], by: admin)
    // end
  }

  static func configurePlayedGoogle(
    _ backend: EmbeddedBackend, host: String, by admin: Caller
  ) async throws {
    // snippet: configure played Google
    _ = try await backend.graph.configure(
      .google,
      values: [
        "clientIDs": ["my-app"], "endpoints": ["keys": .string("http://\(host)/keys")],
        "privateHosts": [.string(host)],
      ], by: admin)
    // end
  }

  static func trust(_ backend: EmbeddedBackend, by admin: Caller) async throws {
    // snippet: trust
    _ = try await backend.graph.changeSettings(by: admin) { settings in
      settings.trust[.google] = .domains(["gmail.com", "googlemail.com", "shop.example"])
    }
    // end
  }

  static func change(_ backend: EmbeddedBackend, by admin: Caller) async throws {
    // snippet: settings
    _ = try await backend.graph.changeSettings(by: admin) { settings in
      settings.signIn.passwordPolicy.minimumLength = 12
      settings.signIn.passwordPolicy.enforcement = .enforce
      settings.signIn.authorizedDomains = ["app.example"]
      settings.signIn.hidesAccounts = false
    }
    // end
  }

  static func read(_ backend: EmbeddedBackend) async throws -> ProjectSettings {
    // snippet: read settings
    let settings = try await backend.graph.settings(of: Scope(project: "demo-shop"))
    print("Google's word on addresses counts \(settings.trust[.google]).")
    // end
    return settings
  }
}
