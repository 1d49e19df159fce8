import AuthCore
import IdentityToolkit

/// The emulator's own operations (`/emulator/v1`), with which tests read its state.
///
/// They need neither key nor token.
struct EmulatorHandler: RequestHandler {
  let call: Call

  private var admin: Caller {
    Caller(
      scope: scope, authority: .admin("emulator"), reason: "emulator", client: client)
  }

  /// Removes every account of the project or tenant.
  ///
  /// Open codes stay.
  func clearAccounts() async throws -> Answer {
    try await services.scopes.require(scope)
    try await graph.deleteAllAccounts(by: admin)
    return .json([:])
  }

  func configuration() async throws -> Answer {
    try await services.scopes.require(scope)
    let settings = try await settings()
    return .json([
      "signIn": ["allowDuplicateEmails": .bool(!settings.oneAccountPerEmail)],
      "emailPrivacyConfig": [
        "enableImprovedEmailPrivacy": .bool(settings.signIn.hidesAccounts)
      ],
    ])
  }

  /// Changes the settings that the body names.
  func updateConfiguration() async throws -> Answer {
    try await services.scopes.require(scope)
    let duplicates = try body.object("signIn")?.bool("allowDuplicateEmails")
    let privacy = try body.object("emailPrivacyConfig")?.bool("enableImprovedEmailPrivacy")
    let scopes = try await tenantScopes()
    for scope in scopes {
      var caller = admin
      caller.scope = scope
      _ = try await graph.changeSettings(by: caller) { settings in
        if let duplicates { settings.oneAccountPerEmail = !duplicates }
        if let privacy { settings.signIn.hidesAccounts = privacy }
      }
    }
    return try await configuration()
  }

  /// Returns the scopes of the project and of its tenants, which inherit from it.
  private func tenantScopes() async throws -> [Scope] {
    var scopes = [scope]
    try await ConfigurationHandler(call).forEachTenant { scopes.append($0) }
    return scopes
  }
}
