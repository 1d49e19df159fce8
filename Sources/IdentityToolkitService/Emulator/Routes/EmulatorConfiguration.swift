import AuthCore
import IdentityToolkit

/// What tests reset and look at behind the protocol (`/emulator/v1`); nobody has to say who asks.
extension Call {
  private var emulatorAdmin: Caller {
    Caller(
      scope: scope, authority: .admin("emulator"), reason: "emulator", client: client)
  }

  /// Removes every account of the project's or the tenant's; open codes stay.
  func clearAccounts() async throws -> Answer {
    try await services.scopes.require(scope)
    try await graph.deleteAllAccounts(by: emulatorAdmin)
    return .json([:])
  }

  func emulatorConfiguration() async throws -> Answer {
    try await services.scopes.require(scope)
    let settings = try await settings()
    return .json([
      "signIn": ["allowDuplicateEmails": .bool(!settings.oneAccountPerEmail)],
      "emailPrivacyConfig": [
        "enableImprovedEmailPrivacy": .bool(settings.signIn.hidesAccounts)
      ],
    ])
  }

  /// Changes the members that are there.
  func updateEmulatorConfiguration() async throws -> Answer {
    try await services.scopes.require(scope)
    let duplicates = try body.object("signIn")?.bool("allowDuplicateEmails")
    let privacy = try body.object("emailPrivacyConfig")?.bool("enableImprovedEmailPrivacy")
    let scopes = try await tenantScopes()
    for scope in scopes {
      var caller = emulatorAdmin
      caller.scope = scope
      _ = try await graph.changeSettings(by: caller) { settings in
        if let duplicates { settings.oneAccountPerEmail = !duplicates }
        if let privacy { settings.signIn.hidesAccounts = privacy }
      }
    }
    return try await emulatorConfiguration()
  }

  /// The project and its tenants, which inherit from it.
  private func tenantScopes() async throws -> [Scope] {
    var scopes = [scope]
    try await forEachTenant { scopes.append($0) }
    return scopes
  }
}
