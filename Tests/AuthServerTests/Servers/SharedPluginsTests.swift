import AuthCore
import AuthTesting
import BuiltInProviders
import Foundation
import HTTPClientTransport
import LuaPlugins
import Testing
import TestSupport

@testable import IdentityToolkitService

/// A server's folder of plug-ins, its loaded plug-ins, and its sharing.
private struct PluginServer {
  let folder: TemporaryFolder
  let loaded: PluginSet
  let sharing: SharedPlugins

  init(_ store: any SharedStore, _ clock: FixedClock, folder: TemporaryFolder? = nil) throws {
    self.folder = try folder ?? TemporaryFolder()
    loaded = PluginSet(host: PluginHost(transport: HTTPClientTransport(), clock: { clock.now }))
    try loaded.add(folder: self.folder.path)
    sharing = SharedPlugins(loaded, store: store)
  }

  var names: [String] { loaded.plugins.map(\.declaration.name) }

  /// Scans the folder and the store, as a server does regularly.
  @discardableResult
  func look() async throws -> [PluginNews] {
    let found = loaded.scan()
    return try await found + sharing.exchange()
  }
}

@Suite struct `Plug-ins of several servers` {
  private let store: SharedDouble
  private let clock = FixedClock()
  private let id = ProviderID("acme.example")

  init() throws {
    store = try SharedDouble()
  }

  private func text(_ version: Int) -> String {
    """
    return provider {
      id = "acme.example", name = "Acme \(version)", hosts = { "api.acme.example" },
      credentials = { token = { token = field.text "the token" } },
      verify = function(credential, http) return identity { subject = credential.token } end,
    }
    """
  }

  private func server(folder: TemporaryFolder? = nil) throws -> PluginServer {
    try PluginServer(store, clock, folder: folder)
  }

  @Test func `a program that is no server reads those of the store`() async throws {
    let server = try server()
    try server.folder.write("acme.lua", text(1))
    try await server.look()

    let reader = PluginSet(host: PluginHost(transport: HTTPClientTransport()))
    try await reader.addShared(of: store)

    #expect(reader.plugins.map(\.declaration.name) == ["Acme 1"])
  }

  @Test func `a file of one is loaded, replaced and taken out at all`() async throws {
    let servers = try (0..<3).map { _ in try server() }
    func all() async throws -> [[String]] {
      for server in servers { try await server.look() }
      return servers.map(\.names)
    }
    try servers[0].folder.write("acme.lua", text(1))
    #expect(try await all() == [["Acme 1"], ["Acme 1"], ["Acme 1"]])
    clock.advance(seconds: 5)
    try servers[0].folder.write("acme.lua", text(2))
    #expect(try await all() == [["Acme 2"], ["Acme 2"], ["Acme 2"]])
    // Another server may change it as well.
    clock.advance(seconds: 5)
    try servers[2].folder.write("other name.lua", text(3))
    _ = try await all()
    #expect(try await all() == [["Acme 3"], ["Acme 3"], ["Acme 3"]])

    // The store has the last server's text now.
    try servers[0].folder.remove("acme.lua")
    for _ in 0..<2 { _ = try await all() }
    #expect(servers.map(\.names) == [["Acme 3"], ["Acme 3"], ["Acme 3"]])
    try servers[2].folder.remove("other name.lua")
    for _ in 0..<2 { _ = try await all() }
    servers[2].loaded.scan()
    #expect(try await all() == [[], [], []])
    #expect(try await all() == [[], [], []])
  }

  @Test func `a plug-in goes to all servers with its modules`() async throws {
    let including = text(1).replacing("\"Acme 1\"", with: "include \"shared/name.lua\"")
    let first = try server()
    let second = try server()
    try FileManager.default.createDirectory(
      atPath: "\(first.folder.path)/shared", withIntermediateDirectories: true)
    try first.folder.write("shared/name.lua", "return \"Acme 1\"")
    try first.folder.write("acme.lua", including, at: clock.now)
    for server in [first, second] { try await server.look() }
    #expect(second.names == ["Acme 1"])

    // A server that starts later has the newer module.
    let newer = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: "\(newer.path)/shared", withIntermediateDirectories: true)
    try newer.write("acme.lua", including, at: clock.now.adding(seconds: -60))
    try newer.write("shared/name.lua", "return \"Acme 2\"", at: clock.now.adding(seconds: 60))
    clock.advance(seconds: 61)
    let third = try server(folder: newer)
    try await third.look()
    for server in [first, second] { try await server.look() }
    #expect([first, second, third].map(\.names) == Array(repeating: ["Acme 2"], count: 3))
  }

  @Test func `a server that starts takes newer plug-ins`() async throws {
    let first = try server()
    try first.folder.write("acme.lua", text(2))
    try await first.look()

    let old = try TemporaryFolder()
    try old.write("acme.lua", text(1), at: clock.now.adding(seconds: -60))
    let outdated = try server(folder: old)
    try await outdated.look()
    #expect(outdated.names == ["Acme 2"])

    let new = try TemporaryFolder()
    try new.write("acme.lua", text(3), at: clock.now.adding(seconds: 60))
    let updated = try server(folder: new)
    clock.advance(seconds: 61)
    try await updated.look()
    for server in [first, outdated] { try await server.look() }
    #expect([first, outdated, updated].map(\.names) == Array(repeating: ["Acme 3"], count: 3))

    let empty = try server()
    try await empty.look()
    #expect(empty.names == ["Acme 3"])
  }

  @Test func `an old file does not bring back a plug-in removed while its server was away`()
    async throws
  {
    let first = try server()
    try first.folder.write("acme.lua", text(1))
    try await first.look()
    let folder = try TemporaryFolder()
    try folder.write("acme.lua", text(1), at: clock.now.adding(seconds: -60))
    try first.folder.remove("acme.lua")
    for _ in 0..<2 { try await first.look() }
    #expect(first.names == [])

    let late = try server(folder: folder)
    try await late.look()
    try await first.look()

    #expect(late.names == [] && first.names == [])
    clock.advance(seconds: 5)
    try folder.write("acme.lua", text(4))
    try await late.look()
    try await first.look()
    #expect(late.names == ["Acme 4"] && first.names == ["Acme 4"])
  }

  @Test func `a text that cannot be used changes nothing, anywhere`() async throws {
    let (here, there) = (try server(), try server())
    try here.folder.write("acme.lua", text(1))
    for server in [here, there] { try await server.look() }

    try here.folder.write("acme.lua", "return provider { id = ")
    guard case .refused? = try await here.look().first else {
      Issue.record("the faulty file was not told")
      return
    }
    #expect(try await there.look().isEmpty)
    #expect(here.names == ["Acme 1"] && there.names == ["Acme 1"])

    // A text that is written directly to the store does not match its version.
    clock.advance(seconds: 5)
    try here.folder.write("acme.lua", text(2))
    try await here.look()
    let version = try #require(here.loaded.plugins.first?.source.version)
    let faulty = text(9)
    try await store.write {
      try $0.saveCheckpoint("plugin:acme.example:\(version)", faulty, in: .servers)
    }
    guard case .refused(_, let error)? = try await there.look().first else {
      Issue.record("the damaged text was not told")
      return
    }
    #expect(error.code == .invalidPlugin)
    #expect(try await there.look().isEmpty, "it is told once")
    #expect(there.names == ["Acme 1"])
  }

  @Test func `a sign-in that began with one version ends with it at another server`() async throws {
    func text(_ version: Int) -> String {
      """
      return provider {
        id = "acme.example", name = "Acme \(version)", kind = "oauth2", hosts = { "api.acme.example" },
        authorize = "https://acme.example/v\(version)", token = "https://api.acme.example/token",
        userinfo = "https://api.acme.example/me", identity = { subject = "id" },
      }
      """
    }
    let here = try server()
    try here.folder.write("acme.lua", text(1))
    try await here.look()
    let secrets = EphemeralSealing()
    func graph(_ server: PluginServer) -> AccountGraph {
      AccountGraph(
        store: store, providers: ProviderRegistry([]).adding(server.loaded), policies: NoPolicies(),
        services: GraphServices(secrets: secrets), clock: { clock.now })
    }
    let admin = Caller(scope: ServerPair.scope, authority: .admin("ada"), reason: "test")
    let anyone = Caller(scope: ServerPair.scope, authority: .anyone)
    _ = try await graph(here).configure(id, values: ["clientID": "app"], by: admin)
    func begin() async throws -> Authorization {
      try await graph(here).beginAuthorization(
        id, redirectURI: "https://app.example/back", session: "browser", by: anyone)
    }
    func end(_ begun: Authorization, at server: PluginServer) async throws -> Credential {
      try await graph(server).finishAuthorization(
        id, callback: ["state": begun.state, "code": "c"],
        redirectURI: "https://app.example/back", session: "browser", by: anyone
      ).credential
    }

    let (early, alsoEarly) = (try await begin(), try await begin())
    clock.advance(seconds: 5)
    try here.folder.write("acme.lua", text(2))
    try await here.look()
    let there = try server()
    try await there.look()

    #expect(there.names == ["Acme 2"])
    #expect(try await end(early, at: there).providerVersion != nil)
    clock.advance(seconds: 1000)
    there.loaded.scan()
    await #expect(throws: AuthError.self) { try await end(alsoEarly, at: there) }
  }

  @Test(arguments: SharedKind.allCases)
  func `running servers exchange them by themselves`(_ kind: SharedKind) async throws {
    let test = self
    try await kind.withStores(2) { stores in
      let (here, there) = try (
        PluginServer(stores[0], test.clock), PluginServer(stores[1], test.clock)
      )
      let pair = ServerPair(on: stores, plugins: (here.loaded, there.loaded))
      try await pair.whileSharing {
        try here.folder.write("acme.lua", test.text(1))
        here.loaded.scan()
        try await eventually("it did not arrive") { there.names == ["Acme 1"] }
        try there.folder.write("acme.lua", test.text(2))
        there.loaded.scan()
        try await eventually("it did not come back") { here.names == ["Acme 2"] }
      }
    }
  }
}
