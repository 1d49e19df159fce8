import AuthCore
import Foundation
import HTTPClientTransport
import IdentityToolkit
import LuaPlugins
import SessionTokens
import Testing

@testable import IdentityToolkitService

/// The admin API of the serving process: its plug-ins, and the accepted tokens.
@Suite struct `The administration of a process` {
  /// Calls a path without a socket; returns the status and the body.
  private func ask(
    _ services: ServerServices, _ method: String, _ path: String, body: JSONValue? = nil,
    token: String
  ) async throws -> (status: Int, body: JSONValue) {
    let (_, response) = await Dispatcher(services).answer(
      ServerRequest(
        method: method, path: path,
        headers: ["authorization": "Bearer \(token)", "content-type": "application/json"],
        body: Array((body?.text ?? "").utf8)))
    let text = String(decoding: response.body, as: UTF8.self)
    return (response.status, try JSONValue(text: text))
  }

  private func services(_ home: ServerHome, _ administration: Administration) -> ServerServices {
    ServerServices(
      graph: home.graph, tokens: home.services.tokens, mode: .production,
      settings: home.services.settings,
      admins: { token, projects in
        guard let tokens = administration.tokens else {
          return AdminRight(
            name: "ada", scopes: ["all", "server"], project: ServerHome.project)
        }
        return try await tokens.check(token, projects: projects).map {
          AdminRight(
            name: $0.name, scopes: Set($0.scopes.map(\.rawValue)), project: $0.project)
        }
      }, administration: administration)
  }

  @Test func `a plug-in that was written is picked up, and a faulty one leaves the old in use`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "authgraph-plugins-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("acme.example.lua")
    @Sendable func write(_ name: String) throws {
      let text = """
        return provider {
          id = "acme.example", name = "\(name)", hosts = { "acme.example" },
          credentials = { accessToken = { accessToken = field.secret "a token" } },
          verify = function(credential, http)
            local me = http.get("https://acme.example/me", { bearer = credential.accessToken }):json()
            return identity { subject = me.id, claims = me }
          end,
        }
        """
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    try await withServer(.production) { home in
      let set = PluginSet(host: PluginHost(transport: HTTPClientTransport()))
      try set.add(folder: folder.path)
      let services = services(home, Administration(plugins: set))
      try write("Acme")
      let loaded = try await ask(
        services, "POST", "/admin/v1/plugins:reload", body: [:], token: "t")
      #expect(loaded.status == 200, "\(loaded.body)")
      #expect(loaded.body["changes"]?.items.first?["id"] == "acme.example")
      #expect(loaded.body["plugins"]?.items.first?["name"] == "Acme")
      try "return provider {".write(to: file, atomically: true, encoding: .utf8)
      let refused = try await ask(
        services, "POST", "/admin/v1/plugins:reload", body: [:], token: "t")
      #expect(refused.body["plugins"]?.items.first?["name"] == "Acme")
      #expect(refused.body["plugins"]?.items.first?["problem"]?.stringValue?.isEmpty == false)
      let unknown = try await ask(
        services, "POST", "/admin/v1/plugins:reload", body: ["id": "nobody.example"], token: "t")
      #expect(unknown.status == 400)
    }
  }

  @Test func `a token works until it is revoked, and then at once no more`() async throws {
    try await withServer(.production) { home in
      let tokens = AdminTokens(store: home.graph.store, clock: { home.services.clock() })
      let services = services(home, Administration(tokens: tokens))
      let root = try await tokens.new(name: "root", scopes: [.all], by: home.admin).reveal()
      let path = "/admin/v1/projects/\(ServerHome.project)"
      let made = try await ask(
        services, "POST", "\(path)/adminTokens",
        body: ["name": "reader", "scopes": ["accounts:read"]],
        token: root)
      let reader = try #require(made.body["token"]?.stringValue)
      let read = try await ask(services, "GET", "\(path)/accounts", token: reader)
      #expect(read.status == 200)
      let refused = try await ask(services, "GET", "\(path)/events", token: reader)
      #expect(refused.status == 403)
      let revoked = try await ask(
        services, "DELETE", "\(path)/adminTokens/reader", token: root)
      #expect(revoked.status == 200)
      let late = try await ask(services, "GET", "\(path)/accounts", token: reader)
      #expect(late.status == 401)
    }
  }
}
