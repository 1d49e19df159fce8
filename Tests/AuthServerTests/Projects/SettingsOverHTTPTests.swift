import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

/// Firebase's documents have a shape of their own.
///
/// Every setting that fits is read and written.
@Suite struct `Settings of the list over HTTP` {
  private static let leaves = ProjectSettings.settings.flatMap(\.leaves)

  /// The settings that do not fit Firebase's documents.
  private static let withoutPlace = [
    "identitiesPerProvider": "Firebase links one of each", "recentLoginSeconds": "fixed there",
    "allowsUnlinkingLastMethod": "always allowed there", "profileOnSignIn": "fixed there",
    "mergeRetentionDays": "no merges there", "eventRetentionDays": "no audit there",
    "decisionRetentionDays": "no policies there",
    "sessionRetentionDays": "for ever there", "deletionRetentionDays": "deleted for good there",
    "signIn.passwordMigration": "no old system there",
    "console.rehearses": "no console there",
    "console.asksReason": "no console there", "console.recordsSessions": "no console there",
  ]
  private static let tenantsAlone = [
    "signIn.isDisabled": "a project's sign-ins cannot be disabled there",
    "signIn.displayName": "a project has its name elsewhere",
  ]
  private static let projectsAlone = [
    "oneAccountPerEmail": "the project decides", "signIn.authorizedDomains": "the project's",
    "signIn.linkDomains": "the project's",
    "signIn.blockingFunctions.beforeCreate": "the project's",
    "signIn.blockingFunctions.beforeSignIn": "the project's",
    "signIn.blockingFunctions.forwardsIDToken": "the project's",
    "signIn.blockingFunctions.forwardsAccessToken": "the project's",
    "signIn.blockingFunctions.forwardsRefreshToken": "the project's",
  ]

  /// Sets each setting, and checks that the document shows and writes it.
  private func walk(
    _ home: ServerHome, _ scope: Scope, _ path: String, except: [String: String]
  ) async throws {
    var caller = home.admin
    caller.scope = scope
    let usual = try await home.graph.settings(of: scope)
    let document = try await home.admin("GET", path).json
    for leaf in Self.leaves {
      guard let other = leaf.otherValue(than: usual) else { continue }
      _ = try await home.graph.changeSettings(by: caller) { try? leaf.set(other, in: &$0) }
      let changed = try await home.admin("GET", path)
      #expect(changed.status == 200)
      let hasPlace = except[leaf.path] == nil && Self.withoutPlace[leaf.path] == nil
      #expect((changed.json != document) == hasPlace, "\(leaf.path)")
      _ = try await home.graph.changeSettings(by: caller) { $0 = usual }
      guard hasPlace else { continue }

      let reply = try await home.admin("PATCH", path, changed.json)
      #expect(reply.status == 200, "\(leaf.path): \(reply.text)")
      let written = try await home.graph.settings(of: scope)
      #expect(leaf.value(in: written) == other, "\(leaf.path)")
      _ = try await home.graph.changeSettings(by: caller) { $0 = usual }
    }
  }

  @Test func `a project's`() async throws {
    try await withServer(.production) { home in
      try await walk(home, home.scope, home.configPath, except: Self.tenantsAlone)
    }
  }

  @Test func `a tenant's`() async throws {
    try await withServer(.production) { home in
      let name = try await home.admin("POST", home.tenantsPath, [:]).text("name")
      let id = String(try #require(name.split(separator: "/").last))
      // All settings are open, so that a document can close them.
      var caller = home.admin
      caller.scope = Scope(project: ServerHome.project, tenant: id)
      _ = try await home.graph.changeSettings(by: caller) { $0 = ProjectSettings() }
      try await walk(
        home, caller.scope, "\(home.tenantsPath)/\(id)", except: Self.projectsAlone)
    }
  }
}
