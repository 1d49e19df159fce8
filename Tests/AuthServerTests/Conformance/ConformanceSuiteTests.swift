import AuthCore
import AuthTesting
import BuiltInProviders
import Conformance
import HTTPClientTransport
import LuaPlugins
import SessionTokens
import Testing

@testable import IdentityToolkitService

/// The suite that `authgraph conformance` runs, against this server over a socket.
@Suite struct `The conformance suite` {
  @Test(.timeLimit(.minutes(5)), arguments: [ServerMode.emulator, .production])
  func `passes in both modes, and leaves nothing behind`(_ mode: ServerMode) async throws {
    try await withTestStore(for: mode) { store in
      let tokens = AdminTokens(
        store: store, secrets: EphemeralSealing(), clock: { FixedClock().now })
      let root = Caller(
        scope: Scope(project: ServerHome.project), authority: .admin("root"), reason: "test")
      let token = try await tokens.new(name: "conformance", scopes: [.all], by: root)
      try await withServer(
        mode, store: store,
        configure: { setup in
          // The token of one server's case is unknown to another for a while.
          setup.servers = 1
          setup.settings = { $0.rateLimits = .none }
          setup.hooks = LuaSignInHooks()
          setup.administration.tokens = tokens
          setup.administration.consoles = TestConsoles()
          setup.admins = { token, projects in
            try await tokens.check(token, projects: projects).map {
              AdminRight(
                name: $0.name, scopes: Set($0.scopes.map(\.rawValue)), project: $0.project)
            }
          }
        }
      ) { home in
        let before = try await Self.configuration(of: home, token: token)
        let report = try await Self.run(on: home, token: token)
        for result in report.failures {
          let lines = result.failure?.lines.joined(separator: "\n  ") ?? ""
          Issue.record("\(result.area): \(result.name)\n  \(lines)")
        }
        #expect(report.unrun == 0 && report.left == 0)
        #expect(report.results.count > 300)
        let after = try await Self.configuration(of: home, token: token)
        #expect(after == before)
        let rest = try await store.read {
          (
            try $0.accounts(matching: AccountFilter(), after: nil, limit: 1, in: home.scope),
            try $0.tenants(of: home.scope.project, after: nil, limit: 1)
          )
        }
        #expect(rest.0.isEmpty && rest.1.isEmpty)
        #expect(try await tokens.list(project: ServerHome.project).map(\.name) == ["conformance"])
      }
    }
  }

  private static func configuration(
    of home: ServerHome, token: Secret<String>
  ) async throws -> JSONValue {
    let bearer = home.mode == .emulator ? "owner" : token.reveal()
    let reply = try await home.call(
      "GET", "/identitytoolkit.googleapis.com/v2/projects/\(ServerHome.project)/config", nil,
      headers: ["Authorization": "Bearer \(bearer)"])
    #expect(reply.status == 200, "\(reply.text)")
    return reply.json
  }

  private static func run(
    on home: ServerHome, token: Secret<String>
  ) async throws -> ConformanceReport {
    let isEmulator = home.mode == .emulator
    let target = ConformanceTarget(
      url: home.address, mode: isEmulator ? .emulator : .production, project: ServerHome.project,
      key: Secret("test-key"), adminToken: isEmulator ? Secret("owner") : token, isPrivate: true,
      // A machine with other work to do is no fault of the server.
      timeout: .seconds(60))
    let runner = ConformanceRunner(
      target, transport: HTTPClientTransport(environment: [:]), now: { home.clock.now })
    try await runner.check()
    return try await runner.run(CaseFile.shipped().flatMap(\.cases))
  }
}
