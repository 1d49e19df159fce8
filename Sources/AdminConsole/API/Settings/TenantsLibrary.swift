import AuthCore
import LuaPlugins
import LuaRuntime

/// The `tenants` library: lists the tenants of the session's project.
struct TenantsLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    var tenants = LuaLibrary(name: "tenants")
    tenants.function("list") { _ in
      let names = try session.whole(limit: nil) { graph, scope, last, count in
        try await graph.tenants(of: scope.project, after: last, limit: count)
      } as: { (name: String) in
        .string(name)
      }
      return [.table(LuaTable(array: names))]
    }
    try state.set("tenants", to: state.library(tenants))
  }
}
