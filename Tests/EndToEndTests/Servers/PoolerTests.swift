import AuthCore
import AuthTesting
import Foundation
import Testing
import TestSupport

/// Every command of the built binary, with a real pgbouncer between it and the database.
@Suite(.serialized) struct `D1: commands behind a pooler` {
  private let folder: TemporaryFolder
  private let server: PostgresServer

  init() throws {
    folder = try TemporaryFolder()
    server = try PostgresServer()
  }

  private static let words = "behind a pooler that gives each transaction another connection"

  @Test(
    arguments: [
      ["serve", "--compat", "emulator", "--port", "0", "--key-file", "KEY"],
      ["-e", "accounts.count()"], ["console"],
      ["export"], ["import", "Scripts/samples/people.json"], ["doctor", "--json"], ["mend"],
      ["store", "copy", "--from", "sqlite:SOURCE", "--to", "STORE"],
    ])
  func `refuse one that gives each transaction another connection`(
    _ arguments: [String]
  ) async throws {
    try await blocking { [folder, server] in
      let pooler = try Pooler(before: server, mode: .transaction, size: 3)
      _ = try Program.run(["-e", "accounts.create { uid = 'a' }"], in: folder)
      let words = arguments.map {
        $0.replacing("SOURCE", with: folder.store).replacing("STORE", with: pooler.url())
          .replacing("KEY", with: "\(folder.path)/key")
      }

      let outcome = try Program.run(
        words, in: folder, input: "", environment: ["AUTHGRAPH_STORE": pooler.url()])

      #expect(outcome.status != 0, "\(arguments)")
      let said = outcome.output + outcome.errors
      #expect(said.contains(Self.words), "\(arguments): \(said)")
      #expect(said.contains("set pool_mode=session"), "\(arguments): \(said)")
      #expect(
        try server.run("select count(*) from pg_namespace where nspname = 'authgraph'") == "0")
    }
  }

  @Test func `work behind one that keeps connections, and doctor names it`() async throws {
    try await blocking { [folder, server] in
      let pooler = try Pooler(before: server, mode: .session)
      let environment = ["AUTHGRAPH_STORE": pooler.url(options: ["connections=4"])]
      let running = try RunningServer(
        ["--compat", "emulator", "--port", "0", "--key-file", "\(folder.path)/key"], in: folder,
        environment: environment)
      let connection = try Connection(to: running.address)
      for _ in 0..<50 {
        let reply = try connection.post(
          "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k", ["returnSecureToken": true])
        #expect(reply.status == 200)
      }

      let doctor = try Program.run(["doctor", "--json"], in: folder, environment: environment)

      #expect(doctor.output.contains("A pooler is in between"), "\(doctor.output)")
      #expect(try server.run("select count(*) from authgraph.accounts") == "50")
      #expect(try running.get("/ready").status == 200)

      try pooler.change(to: .transaction)
      let deadline = ContinuousClock.now + .seconds(30)
      // A single client keeps its process; two that alternate do not.
      while try running.get("/ready").status == 200, ContinuousClock.now < deadline {
        _ = try? pooler.run("reconnect")
        _ = try? connection.post(
          "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k", ["returnSecureToken": true])
      }
      #expect(try running.get("/ready").body.contains("store-pooler"))
      #expect(
        try server.run(
          """
          select count(*) from authgraph.event_accounts as event where not exists (
            select 1 from authgraph.accounts where accounts.uid = event.uid)
          """) == "0")
    }
  }
}
