import AuthCore
import IdentityToolkit
import NIOConcurrencyHelpers

/// Remembers which projects and tenants there are; the emulator opens one when it is first named.
final class KnownScopes: Sendable {
  private let graph: AccountGraph
  private let mode: ServerMode
  private let state = NIOLockedValueBox(State())

  private struct State {
    var known: Set<Scope> = []
    /// Counts what was forgotten, so that a look that began before does not bring it back.
    var generation = 0
  }

  init(graph: AccountGraph, mode: ServerMode) {
    self.graph = graph
    self.mode = mode
  }

  /// Throws `TENANT_NOT_FOUND` for a tenant that nobody opened.
  func require(_ scope: Scope) async throws {
    let (isKnown, generation) = state.withLockedValue { ($0.known.contains(scope), $0.generation) }
    if isKnown { return }
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
    state.withLockedValue { state in
      if state.generation == generation { state.known.insert(scope) }
    }
  }

  /// What was removed is looked for again.
  func forget(_ scope: Scope) {
    state.withLockedValue { state in
      state.known.remove(scope)
      state.generation += 1
    }
  }

  /// Forgets what a change of the store made old.
  func forget(_ change: StoreChange) {
    switch change {
    case .checkpoint: break
    case .settings(let scope): forget(scope)
    case .anything:
      state.withLockedValue { state in
        state.known = []
        state.generation += 1
      }
    }
  }

  private func open(_ scope: Scope) async throws {
    guard TextBounds.providerID.allow(scope.project) else { throw WireError("INVALID_PROJECT_ID") }
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
