import AdminConsole
import AuthCore
import SessionTokens
import Testing

@testable import IdentityToolkitService

/// The routes of the console, with a console behind them.
@Suite struct `The routes of the console` {
  private static let path = "/admin/v1/projects/\(ServerHome.project)/console"

  private static func setUp(_ setup: inout ServerSetup) {
    setup.administration = Administration(consoles: TestConsoles())
    setup.admins = { token, _ in
      AdminRight(
        name: token, scopes: Set(token.split(separator: "+").map(String.init)),
        project: ServerHome.project)
    }
  }

  private static func bearer(_ token: String) -> [String: String] {
    ["Authorization": "Bearer \(token)"]
  }

  @Test func `open a session, run a statement in it, and close it`() async throws {
    try await withServer(.production, configure: Self.setUp) { home in
      let token = Self.bearer("console:write+accounts:write")
      let opened = try await home.call("POST", Self.path, ["version": 1], headers: token)
      let id = try #require(opened.json["id"]?.stringValue, "\(opened.text)")
      let create: JSONValue = [
        "statement": 1, "code": "accounts.create { uid = 'u1' } print('made')",
        "window": ["results": ["isTerminal": true, "width": 80, "color": false]],
      ]
      var page = try await home.call("POST", "\(Self.path)/\(id):evaluate", create, headers: token)
      #expect(page.json["requestID"] == .string("\(id)-1"), "\(page.text)")
      var pieces = page.json["pieces"]?.items ?? []
      while page.json["end"] == nil, page.status == 200 {
        page = try await home.call(
          "POST", "\(Self.path)/\(id):output",
          ["statement": 1, "next": page.json["next"] ?? 0], headers: token)
        pieces += page.json["pieces"]?.items ?? []
      }
      #expect(page.json["end"]?["error"] == nil, "\(page.text)")
      #expect(pieces.map { $0["string"] } == ["made"])
      #expect(try await home.graph.accountCount(in: home.scope) == 1)
      let found = try await home.call(
        "POST", "\(Self.path)/\(id):complete", ["line": "accounts.cre"], headers: token)
      #expect(found.json["candidates"] == ["accounts.create"])
      let check = try await home.call(
        "POST", "\(Self.path)/\(id):check", ["code": "if true then"], headers: token)
      #expect(check.json["isIncomplete"] == true)
      let foreign = try await home.call(
        "POST", "\(Self.path)/\(id):interrupt", [:], headers: Self.bearer("console:read"))
      #expect(foreign.status == 404)
      let closed = try await home.call("DELETE", "\(Self.path)/\(id)", nil, headers: token)
      #expect(closed.status == 200)
      let gone = try await home.call(
        "POST", "\(Self.path)/\(id):output", ["statement": 1], headers: token)
      #expect(gone.status == 404)
      #expect(gone.json["error"]?["reason"] == "console-gone")
    }
  }

  @Test func `are refused by an emulator that other machines can reach, and by no other`()
    async throws
  {
    for (mode, isPublic) in [
      (ServerMode.emulator, true), (.emulator, false), (.production, true),
    ] {
      try await withServer(mode, configure: Self.setUp) { home in
        let dispatcher = Dispatcher(home.services, isPublic: isPublic)
        let token = mode == .emulator ? "owner" : "console:write"
        for operation in AdminOperation.consoles {
          let path = (AdminOperation.root + operation.path)
            .replacing("{project}", with: ServerHome.project).replacing("{id}", with: "none")
          let (_, response) = await dispatcher.answer(
            ServerRequest(
              method: operation.method.rawValue, path: path,
              headers: ["authorization": "Bearer \(token)"], body: Array("{}".utf8)))
          let text = String(decoding: response.body, as: UTF8.self)
          #expect(
            text.contains("emulator mode") == (mode == .emulator && isPublic),
            "\(operation.id): \(text)")
        }
      }
    }
  }

  @Test func `say so where a server has no console`() async throws {
    try await withServer(
      .production,
      configure: {
        $0.admins = { _, _ in
          AdminRight(name: "ada", scopes: ["console:read"], project: ServerHome.project)
        }
      }
    ) { home in
      let reply = try await home.call("POST", Self.path, [:], headers: Self.bearer("any"))
      #expect(reply.status == 403)
      #expect(reply.message?.contains("has no console") == true)
    }
  }
}
