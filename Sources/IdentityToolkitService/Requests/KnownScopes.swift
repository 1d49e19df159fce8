import AuthCore
import IdentityToolkit
import NIOConcurrencyHelpers

/// A cache of the projects and tenants that exist.
final class KnownScopes: Sendable {
  let graph: AccountGraph
  private let behavior: any RequestBehavior
  private let state = NIOLockedValueBox(State())

  private struct State {
    var known: Set<Scope> = []
    /// Counts invalidations, so that a query that began before one does not restore the entry.
    var generation = 0
  }

  init(graph: AccountGraph, behavior: any RequestBehavior) {
    self.graph = graph
    self.behavior = behavior
  }

  /// Throws `TENANT_NOT_FOUND` for a tenant that does not exist.
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

  /// Removes a scope from the cache, so that it is looked up again.
  func forget(_ scope: Scope) {
    state.withLockedValue { state in
      state.known.remove(scope)
      state.generation += 1
    }
  }

  /// Removes the entries that a change of the store made stale.
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
