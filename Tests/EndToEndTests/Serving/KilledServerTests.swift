import AuthCore
import Foundation
import Testing
import TestSupport

/// A server that ends during its work, by force or by request.
@Suite(.serialized) struct `A server under load` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func start(_ more: [String: String] = [:]) throws -> RunningServer {
    try RunningServer(
      ["--compat", "emulator", "--port", "0"], in: folder,
      environment: ["AUTHGRAPH_STORE": "sqlite:\(folder.store)"].merging(more) { _, own in own })
  }

  private func wait(for load: Load, count: Int) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while load.count < count {
      guard ContinuousClock.now < deadline else { throw Failed(description: "no load") }
      usleep(2000)
    }
  }

  @Test func `that is killed has lost nothing that it acknowledged`() async throws {
    try await blocking { [self] in
      var ledgers: [Load.Ledger] = []
      for round in 1...4 {
        let server = try start()
        if round > 1 {
          #expect(try Accounts(server).differences(from: ledgers) == [], "after round \(round - 1)")
        }
        let load = Load(server.address, name: "r\(round)", clients: 4)
        try wait(for: load, count: 12 * round)
        server.kill()
        let result = load.end()
        #expect(result.failures == [])
        ledgers += result.ledgers
      }
      #expect(try sqlite(folder.store, "pragma integrity_check") == "ok")
      #expect(try sqlite(folder.store, "pragma foreign_key_check").isEmpty)
      let server = try start()
      #expect(try Accounts(server).differences(from: ledgers) == [])
      #expect(try server.end(by: SIGTERM).status == 0)
      // No web service receives events, so none is waiting.
      #expect(try sqlite(folder.store, "select count(*) from outbox") == "0")
    }
  }

  @Test func `that is told to end answers what it took, and then refuses`() async throws {
    try await blocking { [self] in
      let server = try start()
      let load = Load(server.address, name: "end", clients: 8)
      try wait(for: load, count: 20)

      let (status, time) = try server.end(by: SIGTERM)

      let result = load.end()
      #expect(status == 0)
      #expect(time < .seconds(30))
      #expect(result.failures == [])
      #expect(server.written.contains("Ended."))
      let again = try start()
      #expect(try Accounts(again).differences(from: result.ledgers) == [])
    }
  }

  @Test func `that reads its configuration again answers everything meanwhile`() async throws {
    try await blocking { [self] in
      let server = try start()
      let load = Load(server.address, name: "again", clients: 4)
      for round in 1...5 {
        try wait(for: load, count: 5 * round)
        server.signal(SIGHUP)
        try server.wait(for: "The configuration was read again")
      }

      let result = load.end()

      #expect(result.failures == [])
      #expect(result.unanswered == 0)
      #expect(try Accounts(server).differences(from: result.ledgers) == [])
    }
  }
}
