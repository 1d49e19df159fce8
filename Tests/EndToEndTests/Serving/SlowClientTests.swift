import AuthCore
import Foundation
import Testing
import TestSupport

/// Clients that are slow on purpose, or disappear without closing.
@Suite(.serialized) struct `Clients that take their time` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func start(_ arguments: [String] = []) throws -> RunningServer {
    try RunningServer(
      ["--compat", "emulator", "--port", "0"] + arguments, in: folder,
      environment: ["AUTHGRAPH_LIMITS_IDLE_SECONDS": "2"])
  }

  static let beginnings = [
    "", "GET / HT", "GET / HTTP/1.1\r\nHost: localhost\r\n",
    "POST /identitytoolkit.googleapis.com/v1/accounts:signUp?key=k HTTP/1.1\r\n"
      + "Host: localhost\r\nContent-Length: 1000\r\n\r\n{",
    "POST /identitytoolkit.googleapis.com/v1/accounts:signUp?key=k HTTP/1.1\r\n"
      + "Host: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
  ]

  @Test func `are closed if they trickle, and delay no other client`() async throws {
    try await blocking { [self] in
      let server = try start()
      let slow = try Self.beginnings.flatMap { beginning in
        try (0..<10).map { _ in
          let connection = try Connection(to: server.address)
          try connection.send(beginning)
          return (connection, !beginning.isEmpty)
        }
      }
      let begin = ContinuousClock.now
      var open = slow
      while !open.isEmpty, ContinuousClock.now - begin < .seconds(30) {
        usleep(300_000)
        #expect(try server.get("/").status == 200)
        open = open.filter { connection, trickles in
          !trickles || (try? connection.send("X")) != nil
        }
        if open.allSatisfy({ !$0.1 }) { break }
      }
      #expect(open.allSatisfy { !$0.1 }, "\(open.count) are still open")
      for (connection, _) in open { #expect(connection.isClosed()) }
      #expect(ContinuousClock.now - begin < .seconds(20))
    }
  }

  @Test func `are closed when they do not take their answers`() async throws {
    try await blocking { [self] in
      let server = try start()
      let connection = try Connection(to: server.address)
      let request = "GET /emulator/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
      let size = try Connection(to: server.address).get("/emulator/openapi.json").utf8.count
      let count = 64 * 1024 * 1024 / size
      // Much more than all buffers between the two hold.
      try connection.send(String(repeating: request, count: count))
      sleep(4)
      #expect(try server.get("/").status == 200)
      #expect(connection.drain() < count * size, "everything was still waiting")
    }
  }

  @Test func `are closed over TLS too, before and after the handshake`() async throws {
    try makeCertificate()
    let file = try folder.write(
      "authgraph.yaml",
      """
      compat: emulator
      publicURL: https://localhost:9099
      listen: { port: 0 }
      tls: { certificate: certificate.pem, key: key.pem }
      limits: { idleSeconds: 2 }

      """)
    try await blocking { [self] in
      let server = try RunningServer(["--config", file], in: folder)
      let silent = try Connection(to: server.address)
      let place = server.address.replacing("https://", with: "")
      for protocols in ["", "-alpn http/1.1"] {
        let script = """
          { printf 'POST / HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 100000\\r\\n\\r\\n'
            for i in $(seq 100); do sleep 0.3; printf X || exit; done
          } | timeout 25 openssl s_client -quiet -connect \(place) \(protocols) >/dev/null 2>&1
          """
        let begin = ContinuousClock.now
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", script]
        try process.run()
        process.waitUntilExit()
        #expect(ContinuousClock.now - begin < .seconds(20), "with \(protocols)")
      }
      #expect(silent.isClosed())
    }
  }

  private func makeCertificate() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/openssl")
    process.arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
      "30", "-subj", "/CN=localhost", "-keyout", "\(folder.path)/key.pem", "-out",
      "\(folder.path)/certificate.pem",
    ]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    chmod("\(folder.path)/key.pem", 0o600)
  }
}
