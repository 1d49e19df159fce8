import AuthCore
import IdentityToolkit
import NIOConcurrencyHelpers

/// Remembers which projects and tenants there are; the emulator opens one when it is first named.
final class KnownScopes: Sendable {
  private let graph: AccountGraph
  private let mode: ServerMode
  private let known = NIOLockedValueBox<Set<Scope>>([])

  init(graph: AccountGraph, mode: ServerMode) {
    self.graph = graph
    self.mode = mode
  }

  /// Throws `TENANT_NOT_FOUND` for a tenant that nobody opened.
  func require(_ scope: Scope) async throws {
    if known.withLockedValue({ $0.contains(scope) }) { return }
    let exists = try await graph.tenantExists(scope)
    if !exists {
      if mode == .emulator {
        try await open(scope)
      } else if scope.tenant != nil {
        throw WireError("TENANT_NOT_FOUND")
      } else {
        return
      }
    }
    known.withLockedValue { _ = $0.insert(scope) }
  }

  /// What was removed is looked for again.
  func forget(_ scope: Scope) {
    known.withLockedValue { _ = $0.remove(scope) }
  }

  private func open(_ scope: Scope) async throws {
    let caller = Caller(scope: scope, authority: .admin("emulator"), reason: "first named")
    var settings = ProjectSettings()
    if let tenant = scope.tenant {
      let project = Scope(project: scope.project)
      try await require(project)
      settings = try await graph.settings(of: project)
      settings.providers = [:]
      settings.keyProbe = nil
      settings.signIn.multiFactor.allowsTOTP = false
      _ = try await graph.createTenant(
        tenant, in: scope.project, settings: settings, by: caller)
    } else {
      _ = try await graph.changeSettings(by: caller) { settings in
        settings.signIn.hidesAccounts = false
        settings.allowsUnlinkingLastMethod = true
      }
    }
  }
}
