import AuthCore
import IdentityToolkit
import NIOConcurrencyHelpers

/// Remembers which projects and tenants there are.
final class KnownScopes: Sendable {
  let graph: AccountGraph
  private let behavior: any RequestBehavior
  private let state = NIOLockedValueBox(State())

  private struct State {
    var known: Set<Scope> = []
    /// Counts what was forgotten, so that a look that began before does not bring it back.
    var generation = 0
  }

  init(graph: AccountGraph, behavior: any RequestBehavior) {
    self.graph = graph
    self.behavior = behavior
  }

  /// Throws `TENANT_NOT_FOUND` for a tenant that nobody opened.
  func require(_ scope: Scope) async throws {
    let (isKnown, generation) = state.withLockedValue { ($0.known.contains(scope), $0.generation) }
    if isKnown { return }
    if try await !graph.tenantExists(scope) {
      guard try await behavior.open(scope, self) else { return }
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
}
