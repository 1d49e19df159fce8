import AuthCore
import Foundation
import Synchronization
import Testing
import TestSupport

/// Limits for clients that are not yet identified (S4, S17).
@Suite(.serialized) struct `The door of the server` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func start(_ lines: String = "") throws -> RunningServer {
    let file = try folder.write(
      "authgraph.yaml",
      """
      publicURL: http://127.0.0.1:9099
      store: sqlite:accounts.db
      apiKeys: [web]
      listen: { port: 0 }
      rateLimits: { requestsPerAddressAndMinute: 0 }
      \(lines)

      """)
    return try RunningServer(["--config", file], in: folder)
  }

  private static let lookUp = "/v1/accounts:lookup"

  /// Returns the head of a request that announces a body, in chunks if there is no length.
  private static func head(_ path: String, _ length: Int?, _ fields: String = "") -> String {
    let framing = length.map { "Content-Length: \($0)" } ?? "Transfer-Encoding: chunked"
    return "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      + "\(framing)\r\n\(fields)\r\n"
  }

  struct Flood: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let path: String
    var isChunked = false
    var bearer = ""
    let statuses: Set<String>
  }

  static let floods = [
    Flood(testDescription: "without a key", path: lookUp, statuses: ["403"]),
    Flood(testDescription: "with a wrong key", path: "\(lookUp)?key=none", statuses: ["400"]),
    Flood(testDescription: "with a client's key", path: "\(lookUp)?key=web", statuses: ["413"]),
    Flood(
      testDescription: "in chunks, without a key", path: lookUp, isChunked: true, statuses: ["403"]),
    Flood(
      testDescription: "in chunks, with a client's key", path: "\(lookUp)?key=web", isChunked: true,
      statuses: ["413", "503"]),
    Flood(
      testDescription: "with an unknown token", path: "/v1/projects/default/accounts:batchCreate",
      bearer: "Authorization: Bearer agadm_none\r\n", statuses: ["401"]),
    Flood(
      testDescription: "to a page that is open", path: "/__/auth/handler", statuses: ["413"]),
    Flood(testDescription: "to nowhere", path: "/v1/nowhere", statuses: ["404"]),
  ]

  @Test(arguments: floods)
  func `S4 attack 38: 100 connections that announce 10 MiB each take less than 100 MB`(
    _ flood: Flood
  ) async throws {
    let length = 10 * 1024 * 1024
    try await blocking { [self] in
      let server = try start()
      _ = try server.get("/ready")
      let before = try ServerProcess(server).residentMegabytes
      let piece = String(repeating: "x", count: 64 * 1024)
      let part = flood.isChunked ? "10000\r\n\(piece)\r\n" : piece
      let connections = try (0..<100).map { _ in try Connection(to: server.address) }
      let head = Self.head(flood.path, flood.isChunked ? nil : length, flood.bearer)
      for connection in connections { try connection.send(head) }
      // 4 MiB each; it is unspecified what happens to a body that is not needed.
      let group = DispatchGroup()
      for share in 0..<4 {
        group.enter()
        Thread.detachNewThread {
          for _ in 0..<64 {
            for connection in connections[(25 * share)..<(25 * (share + 1))] {
              try? connection.send(part)
            }
          }
          group.leave()
        }
      }
      group.wait()
      let most = try ServerProcess(server).mostResidentMegabytes
      #expect(most - before < 100, "\(before) MB became \(most) MB")
      for connection in connections {
        let status = try connection.receive().split(separator: " ")[1]
        #expect(flood.statuses.contains(String(status)), "\(status)")
      }
      #expect(try server.get("/ready").status == 200)
    }
  }

  @Test func `S4 a refusal comes before the body`() async throws {
    try await blocking { [self] in
      let server = try start()
      for flood in Self.floods where !flood.isChunked {
        let connection = try Connection(to: server.address)
        try connection.send(Self.head(flood.path, 10 * 1024 * 1024, flood.bearer))
        let answer = try connection.receive()
        #expect(flood.statuses.contains(String(answer.split(separator: " ")[1])), "\(answer)")
        #expect(answer.contains("\"error\""), "\(answer)")
      }
    }
  }

  @Test func `S4 bodies in flight have a budget, of which an address gets a share`() async throws {
    let lines = "limits: { bodyBytes: 1048576, bodyBytesInFlight: 1048576 }"
    try await blocking { [self] in
      let token = try newToken()
      let server = try start(lines)
      let admins = "Authorization: Bearer \(token)\r\n"
      let batch = "/v1/projects/default/accounts:batchCreate"
      let body = "{\"users\":[]}" + String(repeating: " ", count: 700_000)
      /// Sends a large body without users, which is refused after it was read.
      func admin() throws -> String {
        let connection = try Connection(to: server.address)
        try connection.send(Self.head(batch, body.utf8.count, admins))
        try? connection.send(body)
        return try connection.receive()
      }
      /// Announces a client's longest body, and sends none of it.
      func hold(_ address: String) throws -> Connection {
        let connection = try Connection(to: server.address, from: address)
        try connection.send(Self.head("\(Self.lookUp)?key=web", 256 * 1024))
        return connection
      }
      func isAnswered(_ address: String, _ length: Int? = 2) throws -> String {
        let connection = try Connection(to: server.address, from: address)
        try connection.send(Self.head("\(Self.lookUp)?key=web", length))
        try connection.send(length == nil ? "2\r\n{}\r\n0\r\n\r\n" : "{}")
        return try connection.receive()
      }
      #expect(try admin().hasPrefix("HTTP/1.1 400"))
      var held = [try hold("127.0.0.2")]
      try waitUntil { try isAnswered("127.0.0.2").hasPrefix("HTTP/1.1 503") }
      let refused = try isAnswered("127.0.0.2", nil)
      #expect(refused.hasPrefix("HTTP/1.1 503"), "\(refused)")
      #expect(refused.lowercased().contains("retry-after: 1\r\n"))
      #expect(refused.contains("\"status\":\"UNAVAILABLE\""))
      #expect(try isAnswered("127.0.0.3").hasPrefix("HTTP/1.1 400"))
      #expect(try admin().hasPrefix("HTTP/1.1 400"))
      held += try ["127.0.0.3", "127.0.0.4", "127.0.0.5"].map(hold)
      try waitUntil { try admin().hasPrefix("HTTP/1.1 503") }
      #expect(try isAnswered("127.0.0.6").hasPrefix("HTTP/1.1 503"))
      // A request without a body uses none of the budget for bodies.
      #expect(try server.get("/ready").status == 200)
      // The budget that clients hold is free again after they disconnect.
      held = []
      try waitUntil { try admin().hasPrefix("HTTP/1.1 400") }
      for _ in 0..<20 { #expect(try isAnswered("127.0.0.2").hasPrefix("HTTP/1.1 400")) }
    }
  }

  @Test func `S17 one address with half-sent requests delays no other client`() async throws {
    try await blocking { [self] in
      let server = try start("limits: { connections: 40 }")
      let half = try (0..<40).map { _ in
        let connection = try Connection(to: server.address)
        try? connection.send("GET /health HTTP/1.1\r\nHost: local")
        return connection
      }
      let other = try Connection(to: server.address, from: "127.0.0.2")
      #expect(try other.get("/health").hasPrefix("HTTP/1.1 200"))
      try server.wait(for: "one address has as many as it may")
      let answered = half.filter { connection in
        try? connection.send("host\r\n\r\n")
        return (try? connection.receive().hasPrefix("HTTP/1.1 200")) == true
      }
      #expect(answered.count == 10)
    }
  }

  @Test func `S17 a connection that ends makes room for another one of its address`() async throws {
    try await blocking { [self] in
      let server = try start("limits: { connectionsPerAddress: 2 }")
      var open = try (0..<2).map { _ in try Connection(to: server.address) }
      for connection in open { _ = try connection.get("/health") }
      #expect(try Connection(to: server.address).isClosed())
      open.removeLast()
      try waitUntil {
        (try? Connection(to: server.address).get("/health").hasPrefix("HTTP/1.1 200")) == true
      }
      #expect(try open[0].get("/health").hasPrefix("HTTP/1.1 200"))
    }
  }

  @Test func `S17 a trusted proxy has any number of connections`() async throws {
    try await blocking { [self] in
      let server = try start(
        "limits: { connectionsPerAddress: 2 }\ntrustedProxies: [127.0.0.0/8]")
      let open = try (0..<50).map { _ in try Connection(to: server.address) }
      for connection in open {
        #expect(try connection.get("/health").hasPrefix("HTTP/1.1 200"))
      }
    }
  }

  private static let hosts: [(String, String)] = [
    ("GET /health HTTP/1.1\r\n\r\n", "400"),
    ("GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"),
    ("GET /health HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", "400"),
    ("GET /health HTTP/1.1\r\nHost: a b\r\n\r\n", "400"),
    ("GET /health HTTP/1.1\r\nHost: a/b\r\n\r\n", "400"),
    ("GET /health HTTP/1.1\r\nHost: user@a\r\n\r\n", "400"),
    ("GET http://localhost/health HTTP/1.1\r\n\r\n", "400"),
    ("POST /v1/accounts:signUp?key=web HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", "400"),
    ("GET /health HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", "400"),
    ("GET /health HTTP/1.0\r\n\r\n", "200"),
    ("GET /health HTTP/1.1\r\nhOsT: auth.example.com:443\r\n\r\n", "200"),
    ("GET /health HTTP/1.1\r\nHost: [2001:db8::1]:80\r\n\r\n", "200"),
    ("GET http://localhost/health HTTP/1.1\r\nHost: localhost\r\n\r\n", "200"),
  ]

  @Test func `S17 a request without exactly one Host is refused`() async throws {
    try await blocking { [self] in
      let server = try start()
      for (request, status) in Self.hosts {
        let connection = try Connection(to: server.address)
        try connection.send(request)
        let answer = try connection.receive()
        #expect(answer.split(separator: " ")[1] == status, "\(request): \(answer)")
      }
      // Also after a valid request, and nothing after it is answered.
      let connection = try Connection(to: server.address)
      #expect(try connection.get("/health").hasPrefix("HTTP/1.1 200"))
      try connection.send("GET /health HTTP/1.1\r\n\r\nGET /health HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try connection.receive().hasPrefix("HTTP/1.1 400"))
      #expect((try? connection.receive()) == nil)
    }
  }

  @Test func `S4 a load balancer is answered while the worst requests are worked on`() async throws
  {
    try await blocking { [self] in
      let server = try start()
      let process = ServerProcess(server)
      let cores = ProcessInfo.processInfo.activeProcessorCount
      _ = try server.get("/health")
      let isOver = Atomic(false)
      let group = DispatchGroup()
      let requests = Self.worst
      for number in 0..<(4 * cores) {
        group.enter()
        Thread.detachNewThread { [address = server.address] in
          while !isOver.load(ordering: .relaxed) {
            guard let connection = try? Connection(to: address) else { break }
            try? connection.send(requests[number % requests.count])
            _ = try? connection.receive()
          }
          group.leave()
        }
      }
      // Each of them has started.
      sleep(1)
      for _ in 0..<20 {
        let connection = try Connection(to: server.address)
        let before = try process.processorTime
        #expect(try connection.get("/health").hasPrefix("HTTP/1.1 200"))
        let spent = try process.processorTime - before
        #expect(spent / cores < .milliseconds(100), "\(spent) of \(cores) processors")
      }
      isOver.store(true, ordering: .relaxed)
      server.kill()
      group.wait()
    }
  }

  /// The largest permitted requests of a client.
  private static let worst: [String] = {
    let room = 250_000
    let parameters = (0..<room / 14).map { "\"p\($0)\":\"x\"" }.joined(separator: ",")
    let scopes = (0..<room / 8).map { "s\($0)" }.joined(separator: " ")
    let objects = Array(repeating: "{\"a\":0}", count: room / 8).joined(separator: ",")
    let factors = Array(repeating: "{\"phoneInfo\":\"+15555550100\"}", count: room / 30)
      .joined(separator: ",")
    let uri = "\"providerId\":\"google.com\",\"continueUri\":\"http://localhost/\""
    let bodies = [
      ("createAuthUri", "{\(uri),\"customParameter\":{\(parameters)}}"),
      ("createAuthUri", "{\(uri),\"oauthScope\":\"\(scopes)\"}"),
      ("signUp", "{\"mfaInfo\":[\(factors)]}"),
      ("lookup", "{\"idToken\":[\(objects)]}"),
      ("signInWithPassword", "{\"email\":\"a@example.com\",\"password\":\"opensesame\"}"),
      ("signUp", "{\"returnSecureToken\":true}"),
    ]
    return bodies.map { name, body in
      head("/v1/accounts:\(name)?key=web", body.utf8.count) + body
    }
  }()

  /// Makes the token of an admin with all permissions in the default project.
  private func newToken() throws -> String {
    let file = try folder.write(
      "tokens.yaml", "publicURL: http://127.0.0.1:9099\nstore: sqlite:accounts.db\n")
    let made = try Program.run(
      ["admin-token", "new", "--config", file, "--scope", "all", "--name", "root"], in: folder,
      environment: ["AUTHGRAPH_STORE": ""])
    guard made.status == 0 else { throw Failed(description: made.errors) }
    return made.output.trimmingCharacters(in: .newlines)
  }

  /// Waits for a condition; the limit only prevents a hang.
  private func waitUntil(_ isSo: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while try !isSo() {
      guard ContinuousClock.now < deadline else { throw Failed(description: "it never became so") }
      usleep(20_000)
    }
  }
}
