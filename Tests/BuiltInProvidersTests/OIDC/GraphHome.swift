import AuthCore
import AuthTesting
import BuiltInProviders
import TestSupport

/// A graph in memory with the providers under test.
struct GraphHome {
  let graph: AccountGraph
  let admin = Caller(scope: Scope(project: "test"), authority: .admin("ada"))
  let anyone = Caller(scope: Scope(project: "test"), authority: .anyone)

  init(_ providers: [any AuthProvider] = [], families: [any ProviderFamily] = []) {
    graph = AccountGraph(
      store: MemoryStore(), providers: ProviderRegistry(providers, families: families),
      policies: NoPolicies(), services: GraphServices(secrets: EphemeralSealing()))
  }
}
