import AuthCore
import Foundation
import Testing
import TestSupport

/// `authgraph serve` from its start to its end.
@Suite struct `The server as a process` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Writes a configuration with which a server can start, with additional lines.
  private func configure(_ lines: String = "") throws -> String {
    try folder.write(
      "authgraph.yaml",
      """
      publicURL: http://127.0.0.1:9099
      store: sqlite:accounts.db
      apiKeys: [first-key]
      listen: { port: 0 }
      \(lines)

      """)
  }

  @Test func `the emulator starts without options, and answers`() async throws {
    try await blocking { [folder] in
      let server = try RunningServer(["--compat", "emulator", "--port", "0"], in: folder)

      let answer = try server.get("/")

      #expect(answer.status == 200)
      #expect(answer.body.contains("authEmulator"))
      #expect(server.written.contains("\(server.address) (emulator)"))
      #expect(try server.end(by: SIGTERM).status == 0)
      #expect(!FileManager.default.fileExists(atPath: folder.store))
    }
  }

  /// An emulator must not seem independent of the configuration.
  @Test func `S17 a configuration that was found by default is reported`() async throws {
    let file = try configure()
    try await blocking { [folder] in
      let unnamed = try RunningServer(["--compat", "emulator", "--port", "0"], in: folder)
      #expect(unnamed.written.contains("The emulator reads authgraph.yaml of this folder"))
      #expect(try unnamed.end(by: SIGTERM).status == 0)
      let production = try RunningServer(["--port", "0"], in: folder)
      #expect(production.written.contains("AuthGraph reads authgraph.yaml of this folder."))
      #expect(try production.end(by: SIGTERM).status == 0)
      let named = try RunningServer(
        ["--compat", "emulator", "--port", "0", "--config", file], in: folder)
      #expect(!named.written.contains("of this folder"))
      #expect(try named.end(by: SIGTERM).status == 0)
    }
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a signal ends it within seconds, with an idle connection open`(
    _ number: Int32
  ) async throws {
    try await blocking { [folder] in
      let server = try RunningServer(["--compat", "emulator", "--port", "0"], in: folder)
      let connection = try Connection(to: server.address)
      #expect(try connection.get("/").hasPrefix("HTTP/1.1 200"))

      let (status, time) = try server.end(by: number)

      #expect(status == 0)
      #expect(time < .seconds(15))
      #expect(server.written.contains("Ended."))
    }
  }

  @Test func `a request that has begun is finished`() async throws {
    try await blocking { [folder] in
      let server = try RunningServer(["--compat", "emulator", "--port", "0"], in: folder)
      let connection = try Connection(to: server.address)
      let body = #"{"returnSecureToken":true}"#
      let path = "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k"
      try connection.send(
        "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n{")
      usleep(300_000)

      server.signal(SIGTERM)
      try server.wait(for: "Ending")
      try connection.send(String(body.dropFirst()))
      let answer = try connection.receive()

      #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)\n\(server.written)")
    }
  }

  @Test func `SIGHUP takes settings over while a connection stays open`() async throws {
    let file = try configure()
    try await blocking { [self] in
      let server = try RunningServer(["--config", file], in: folder)
      let connection = try Connection(to: server.address)
      let path = "/v1/projects?key="
      #expect(try connection.get(path + "first-key").hasPrefix("HTTP/1.1 200"))
      #expect(!(try connection.get(path + "second-key").hasPrefix("HTTP/1.1 200")))

      _ = try folder.write(
        "authgraph.yaml",
        """
        publicURL: http://127.0.0.1:9099
        store: sqlite:other.db
        apiKeys: [second-key]
        listen: { port: 0 }
        logging: { format: json }

        """)
      server.signal(SIGHUP)
      try server.wait(for: "store changed. Restart the server to apply it.")
      let line = try server.wait(for: "The configuration was read again")

      #expect(try JSONValue(text: line)["level"] == "notice")
      #expect(try connection.get(path + "second-key").hasPrefix("HTTP/1.1 200"))
      #expect(!(try connection.get(path + "first-key").hasPrefix("HTTP/1.1 200")))
    }
  }

  @Test func `SIGHUP with a bad configuration changes nothing`() async throws {
    let file = try configure()
    try await blocking { [self] in
      let server = try RunningServer(["--config", file], in: folder)
      _ = try configure("prot: 1")

      server.signal(SIGHUP)
      let finding = try server.wait(for: "authgraph.yaml:5")
      try server.wait(for: "The configuration stays as it was")

      #expect(finding.contains("There is no setting prot"))
      #expect(try server.get("/v1/projects?key=first-key").status == 200)
    }
  }

  @Test func `SIGHUP gives new connections a new certificate`() async throws {
    try makeCertificate("first.example")
    let file = try configure("tls: { certificate: certificate.pem, key: key.pem }")
    try await blocking { [self] in
      let server = try RunningServer(["--config", file], in: folder)
      #expect(server.address.hasPrefix("https://"))
      #expect(try subject(server).contains("first.example"))

      try makeCertificate("second.example")
      server.signal(SIGHUP)
      try server.wait(for: "The configuration was read again")

      #expect(try subject(server).contains("second.example"))
      #expect(try server.get("/", ["--insecure"]).status == 200)
    }
  }

  @Test func `an admin's token opens what a key does not`() async throws {
    let file = try configure()
    let path = "/v1/projects/default/accounts:query"
    try await blocking { [self] in
      let made = try Program.run(
        ["admin-token", "new", "--config", file, "--scope", "accounts:read", "--name", "tool"],
        in: folder, environment: ["AUTHGRAPH_STORE": ""])
      #expect(made.status == 0, "\(made.errors)")
      let token = made.output.trimmingCharacters(in: .newlines)
      let listed = try Program.run(
        ["admin-token", "list", "--config", file], in: folder, environment: ["AUTHGRAPH_STORE": ""])
      #expect(listed.output.contains("tool"))
      #expect(!listed.output.contains(token))
      let server = try RunningServer(["--config", file], in: folder)
      let body = ["-H", "Content-Type: application/json", "-d", "{}"]
      let bearer = body + ["-H", "Authorization: Bearer \(token)"]
      #expect(try server.get(path, bearer).status == 200)
      #expect(try server.get(path + "?key=first-key", body).status >= 400)

      let revoked = try Program.run(
        ["admin-token", "revoke", "tool", "--config", file], in: folder,
        environment: ["AUTHGRAPH_STORE": ""])

      #expect(revoked.status == 0)
      let deadline = ContinuousClock.now + .seconds(30)
      while try server.get(path, bearer).status == 200, ContinuousClock.now < deadline {
        usleep(200_000)
      }
      #expect(try server.get(path, bearer).status == 401)
      #expect(!server.written.contains(token))
    }
  }

  @Test func `a port that is taken is one error with a remedy`() async throws {
    try await blocking { [folder] in
      let server = try RunningServer(["--compat", "emulator", "--port", "0"], in: folder)
      let port = String(server.address.split(separator: ":").last ?? "")

      let second = try Program.run(["serve", "--compat", "emulator", "--port", port], in: folder)

      #expect(second.status == 1)
      #expect(second.errors.contains("taken"))
      #expect(second.errors.contains("--port 0"))
    }
  }

  @Test func `production does not start without its address, nor with http for others`() throws {
    let missing = try Program.run(["serve"], in: folder)
    let plain = try Program.run(["serve", "--public-url", "http://auth.example.com"], in: folder)

    #expect(missing.status == 1)
    #expect(missing.errors.contains("publicURL is missing"))
    #expect(plain.status == 1)
    #expect(plain.errors.contains("--public-url: publicURL has to begin with https"))
  }

  private func makeCertificate(_ name: String) throws {
    try runProgram(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
        "30", "-subj", "/CN=\(name)", "-keyout", "\(folder.path)/key.pem", "-out",
        "\(folder.path)/certificate.pem",
      ])
    chmod("\(folder.path)/key.pem", 0o600)
  }

  /// Returns the subject of the certificate that a new connection gets.
  private func subject(_ server: RunningServer) throws -> String {
    let place = server.address.replacing("https://", with: "")
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c",
      "openssl s_client -connect \(place) </dev/null 2>/dev/null | openssl x509 -noout -subject",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }
}
