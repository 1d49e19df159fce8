import AuthCore
import LuaRuntime
import Testing

@testable import AdminConsole

@Suite struct `Tenants in the console` {
  @Test func `are listed by name`() async throws {
    let home = try ConsoleHome()
    #expect(try home.run("return #tenants.list()").first == 0)
    let admin = Caller(scope: home.scope, authority: .admin("ada"))
    for tenant in ["us", "eu"] {
      try await home.graph.openTenant(Scope(project: "default", tenant: tenant), by: admin)
    }
    #expect(try home.run("return table.concat(tenants.list(), ' ')").first == "eu us")
  }
}
