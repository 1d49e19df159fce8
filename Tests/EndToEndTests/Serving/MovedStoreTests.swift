import AuthCore
import Foundation
import Testing
import TestSupport

/// A server whose store's file is moved away, as by an admin who restores a backup.
@Suite(.serialized) struct `S14 attack 48: a server whose file goes away` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
  }

  private var data: String { "\(folder.path)/data" }
  private var store: String { "\(data)/accounts.db" }

  private func start() throws -> RunningServer {
    try RunningServer(
      ["--compat", "emulator", "--port", "0"], in: folder,
      environment: ["AUTHGRAPH_STORE": "sqlite:\(store)"])
  }

  private func move(_ names: [(from: String, to: String)]) throws {
    for (from, to) in names {
      guard rename(from, to) == 0 else { throw Failed(description: "\(from) cannot be moved") }
    }
  }

  private func signUp(_ server: RunningServer) throws -> Int {
    try server.get(
      "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k",
      ["-X", "POST", "-H", "Content-Type: application/json", "-d", "{}"]
    ).status
  }

  /// Waits for something that happens on its own; the limit only prevents a hang.
  private func wait(_ what: String, until isSo: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try !isSo() {
      guard ContinuousClock.now < deadline else { throw Failed(description: "\(what) never came") }
      usleep(2000)
    }
  }

  private func doctor(_ server: RunningServer) throws -> [String] {
    let port = server.address.split(separator: ":").last ?? ""
    let file = try folder.write(
      "authgraph.yaml",
      """
      publicURL: https://127.0.0.1:1
      store: sqlite:\(store)
      listen: { port: \(port) }

      """)
    let outcome = try Program.run(
      ["doctor", "--config", file, "--json"], in: folder, environment: ["AUTHGRAPH_STORE": ""])
    guard case .array(let all) = try JSONValue(text: outcome.output) else { return [] }
    return all.filter { $0["state"] == "wrong" }.compactMap { $0["check"]?.stringValue }
  }

  /// Returns how often a line was written.
  private func count(_ words: String, in server: RunningServer) -> Int {
    server.written.split(separator: "\n").count { $0.contains(words) }
  }

  private static let gone = "The store takes no writes until its file is back."
  private static let back = "The store's file is back"

  @Test(arguments: ["file", "files", "log", "folder"])
  func `acknowledges under load only what is in the file that is found afterwards`(
    _ what: String
  ) async throws {
    try await blocking { [self] in
      let away: [(String, String)] =
        switch what {
        case "file": [(store, "\(store).gone")]
        case "log": [("\(store)-wal", "\(store)-wal.gone")]
        case "folder": [(data, "\(data).gone")]
        default: ["", "-shm", "-wal"].map { (store + $0, "\(store).gone\($0)") }
        }
      let server = try start()
      let load = Load(server.address, name: what, clients: 4)
      for round in 1...3 {
        let before = load.count
        try wait("the load") { load.count >= before + 10 }
        try move(away)
        try wait("the refusal") { try server.get("/ready").status == 503 }
        #expect(try signUp(server) == 503)
        #expect(try server.get("/ready").body.contains("store-file-gone"))
        try server.wait(for: Self.gone)
        #expect(try doctor(server).contains("server"))
        try move(away.reversed().map { ($0.1, $0.0) })
        try wait("the way back") { try server.get("/ready").status == 200 }
        try server.wait(for: Self.back)
        #expect(count(Self.gone, in: server) == round)
        #expect(count(Self.back, in: server) == round)
      }
      let result = load.end()
      #expect(result.failures.allSatisfy { $0.contains(" 503 ") }, "\(result.failures.prefix(3))")
      server.kill()

      let again = try start()
      #expect(try Accounts(again).differences(from: result.ledgers) == [])
      #expect(try again.end(by: SIGTERM).status == 0)
      #expect(try sqlite(store, "pragma integrity_check") == "ok")
    }
  }

  @Test func `says so when the file is removed, and acknowledges nothing more`() async throws {
    try await blocking { [self] in
      let server = try start()
      #expect(try signUp(server) == 200)
      for end in ["", "-shm", "-wal"] { try FileManager.default.removeItem(atPath: store + end) }

      // Without reads or writes it is noticed too.
      try server.wait(for: Self.gone)
      #expect(try (0..<20).map { _ in try signUp(server) } == Array(repeating: 503, count: 20))
      #expect(try server.get("/ready").status == 503)
      #expect(try server.get("/health").status == 200)
      #expect(try doctor(server) == ["server"])
      #expect(count(Self.gone, in: server) == 1)
      #expect(count("\"fault\"", in: server) == 0)
      #expect(try server.end(by: SIGTERM).status == 0)
    }
  }

  @Test func `does not take an older copy for its own, and no command writes to that`()
    async throws
  {
    try await blocking { [self] in
      let server = try start()
      #expect(try signUp(server) == 200)
      _ = try sqlite(store, "vacuum into '\(store).copy'")
      #expect(try signUp(server) == 200)
      let copy = try Data(contentsOf: URL(filePath: "\(store).copy"))
      try move([(store, "\(store).own"), ("\(store).copy", store)])

      #expect(try (0..<20).map { _ in try signUp(server) } == Array(repeating: 503, count: 20))
      #expect(try doctor(server).sorted() == ["server", "store"])
      for arguments in [
        ["console", "-e", "accounts.create { uid = 'a' }"], ["export"],
        ["store", "reopen", "--store", "sqlite:\(store)"],
      ] {
        let outcome = try Program.run(
          arguments, in: folder, environment: ["AUTHGRAPH_STORE": "sqlite:\(store)"])
        #expect(outcome.status != 0, "\(arguments)")
        #expect(
          outcome.errors.contains("moved, removed or replaced while another process has it open"),
          "\(arguments): \(outcome.errors)")
      }
      #expect(try Data(contentsOf: URL(filePath: store)) == copy)

      try move([(store, "\(store).copy"), ("\(store).own", store)])
      #expect(try signUp(server) == 200)
      #expect(try server.end(by: SIGTERM).status == 0)
      #expect(try sqlite(store, "select count(*) from accounts") == "3")
      #expect(try sqlite(store, "pragma integrity_check") == "ok")
    }
  }

  @Test func `an open console takes no writes either, and goes on when the file is back`()
    async throws
  {
    try await blocking { [self] in
      let terminal = try Terminal(
        "'\(Program.path)' console --store 'sqlite:\(store)' --create", in: folder)
      try terminal.wait(for: "authgraph>")
      try terminal.enter("accounts.create { uid = 'a' }.action", until: "create")
      try move([(store, "\(store).gone")])
      try terminal.enter("accounts.create { uid = 'b' }", until: "was moved or removed")
      try move([("\(store).gone", store)])
      try terminal.enter("accounts.create { uid = 'c' }.uid == 'c'", until: "true")
      try terminal.enter("accounts.count()", until: "2")
    }
  }
}
