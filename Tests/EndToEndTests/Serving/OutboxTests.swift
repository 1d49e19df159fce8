import AuthCore
import Foundation
import Testing
import TestSupport

/// The events that an app's own server receives, with both servers as processes.
@Suite struct `Events for an app's server` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    chmod(try folder.write("secret", "signing-secret\n"), 0o600)
  }

  private func start(_ app: App) throws -> RunningServer {
    let file = try folder.write(
      "authgraph.yaml",
      """
      compat: emulator
      store: sqlite:accounts.db
      listen: { port: 0 }
      outbox: { url: "http://127.0.0.1:\(app.port)/events", secret: { file: secret } }

      """)
    return try RunningServer(["--config", file], in: folder)
  }

  private func open(_ connection: Connection) throws -> (uid: String, token: JSONValue) {
    let made = try connection.post(
      "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k", ["returnSecureToken": true])
    return (made.json["localId"]?.stringValue ?? "", made.json["idToken"] ?? .null)
  }

  private func link(
    _ connection: Connection, _ subject: String, to token: JSONValue
  ) throws -> Int {
    try connection.post(
      "/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=k",
      [
        "requestUri": "http://localhost", "idToken": token,
        "postBody": .string("id_token={\"sub\":\"\(subject)\"}&providerId=google.com"),
      ]
    ).status
  }

  @Test func `come once for each commit, signed, and nothing that is the audit's alone`()
    async throws
  {
    try await blocking { [self] in
      let app = try App(in: folder)
      let server = try start(app)
      let connection = try Connection(to: server.address)
      let (ada, token) = try open(connection)
      #expect(try link(connection, "subject-1", to: token) == 200)
      // A refusal, and a change that concerns no other account.
      #expect(try link(connection, "subject-1", to: token) != 0)
      let (bo, _) = try open(connection)
      let merged = try connection.post(
        "/admin/v1/projects/demo-project/merges",
        ["keep": .string(ada), "absorb": .string(bo), "reason": "a private reason"],
        bearer: "owner")
      #expect(merged.status == 200, "\(merged.json.text)")

      let calls = try app.wait { calls in calls.contains { $0.body["action"] == "merge" } }

      #expect(calls.filter { !$0.isSigned }.isEmpty)
      #expect(calls.filter { $0.body["action"] == "link" }.count == 1)
      #expect(Set(calls.map(\.id)).count == calls.count, "no event came twice")
      let merge = try #require(calls.last)
      #expect(merge.body["mergedFrom"] == [.string(bo)])
      #expect(merge.body["accountID"] == .string(ada))
      #expect(merge.body["id"] == merged.json["id"])
      let all = calls.map(\.body.text).joined()
      #expect(!all.contains("private reason") && !all.contains("subject-1"))
      #expect(try server.end(by: SIGTERM).status == 0)
    }
  }

  @Test func `come after failures, and after the server was killed before they were sent`()
    async throws
  {
    try await blocking { [self] in
      let app = try App(in: folder)
      try app.fail(true)
      let first = try start(app)
      let connection = try Connection(to: first.address)
      let (ada, token) = try open(connection)
      #expect(try link(connection, "subject-1", to: token) == 200)
      try first.wait(for: "An event could not be delivered")
      let (bo, other) = try open(connection)
      #expect(try link(connection, "subject-2", to: other) == 200)
      first.kill()
      try app.fail(false)

      let second = try start(app)

      let calls = try app.wait { calls in
        Set(calls.filter { $0.status == 200 && $0.body["action"] == "link" }.map(\.id)).count == 2
      }
      let taken = calls.filter { $0.status == 200 }
      #expect(Set(taken.map(\.id)).count == taken.count)
      for uid in [ada, bo] {
        let actions = taken.filter { $0.body["accountID"] == .string(uid) }
          .compactMap { $0.body["action"]?.stringValue }
        #expect(actions.last == "link", "in order: \(actions)")
      }
      #expect(!first.written.contains("signing-secret"))
      second.kill()
      #expect(try sqlite(folder.store, "select count(*) from outbox") == "0")
    }
  }
}

/// An app's server, which accepts or refuses events and records each.
private final class App: Sendable {
  struct Call {
    let id: String
    let isSigned: Bool
    let status: Int
    let body: JSONValue
  }

  let port: Int
  private let process: Process
  private let folder: TemporaryFolder

  private static let program = """
    import hashlib, hmac, http.server, json, os, sys
    class Handler(http.server.BaseHTTPRequestHandler):
      def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        parts = dict(p.split("=") for p in self.headers["Authgraph-Signature"].split(","))
        text = parts["t"].encode() + b"." + body
        code = hmac.new(b"signing-secret", text, hashlib.sha256).hexdigest()
        status = 503 if os.path.exists("fail") else 200
        with open("calls", "a") as file:
          file.write(json.dumps({"id": self.headers["Idempotency-Key"], "status": status,
            "signed": hmac.compare_digest(code, parts["v1"]), "body": json.loads(body)}) + "\\n")
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()
      def log_message(self, *arguments): pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
    """

  init(in folder: TemporaryFolder) throws {
    self.folder = folder
    process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.program]
    process.currentDirectoryURL = URL(filePath: folder.path)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    port = Int(line.trimmingCharacters(in: .newlines)) ?? 0
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  func fail(_ fails: Bool) throws {
    if fails {
      _ = try folder.write("fail", "")
    } else {
      try FileManager.default.removeItem(atPath: "\(folder.path)/fail")
    }
  }

  /// Waits until the calls meet a condition; the limit only prevents a hang.
  func wait(until isThere: ([Call]) -> Bool) throws -> [Call] {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      let calls = try calls()
      if isThere(calls) { return calls }
      usleep(100_000)
    }
    throw Failed(description: "the events did not come: \((try? folder.read("calls")) ?? "none")")
  }

  private func calls() throws -> [Call] {
    guard let text = try? folder.read("calls") else { return [] }
    return try text.split(separator: "\n").map { line in
      let json = try JSONValue(text: String(line))
      return Call(
        id: json["id"]?.stringValue ?? "", isSigned: json["signed"] == true,
        status: json["status"] == 200 ? 200 : 503, body: json["body"] ?? .null)
    }
  }
}
