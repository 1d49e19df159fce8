import AuthCore
import Foundation
import HTTPClientTransport
import Testing
import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

struct CertificateTests {
  /// Runs `openssl s_server`, an independent TLS server.
  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")),
    arguments: ["localhost", "other.example.com"])
  func `a certificate of an unknown authority is refused under any name`(_ name: String)
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let key = folder.appending(path: "key.pem").path
    let certificate = folder.appending(path: "certificate.pem").path
    let making = try openSSL([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
      key, "-out", certificate, "-days", "2", "-subj", "/CN=\(name)", "-addext",
      "subjectAltName=DNS:\(name)",
    ])
    try await eventually { !making.isRunning }
    #expect(making.terminationStatus == 0)

    let log = folder.appending(path: "log")
    #expect(FileManager.default.createFile(atPath: log.path, contents: nil))
    let server = try openSSL(
      [
        "s_server", "-accept", "127.0.0.1:0", "-naccept", "1", "-www", "-key", key, "-cert",
        certificate,
      ],
      output: FileHandle(forWritingTo: log))
    // A child of these threads has the termination signal blocked.
    defer { kill(server.processIdentifier, SIGKILL) }
    // The line "ACCEPT 127.0.0.1:port" has the port that the system chose.
    var port: Int?
    try await eventually {
      let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
      let line = text.firstMatch(of: /ACCEPT 127.0.0.1:([0-9]+)\s/)
      port = line.flatMap { Int($0.1) }
      return port != nil
    }
    let found = try #require(port)
    let transport = HTTPClientTransport(environment: [:])
    var request = HTTPRequest(.get, "https://localhost:\(found)/")
    request.privateHosts = ["localhost:\(found)"]
    request.timeout = .seconds(20)
    let error = await transport.failure(of: request)
    #expect(error?.message == "The certificate of localhost is not trusted.")
    try await transport.shutdown()
  }

  @Test func `a port that speaks no TLS is reported as such`() async throws {
    let server = try RawServer {
      _ = $0.readSome()
      $0.send("HTTP/1.1 400 Bad Request\r\n\r\n")
      $0.waitForEnd()
    }
    let transport = HTTPClientTransport(environment: [:])
    var request = HTTPRequest.to(server)
    request.url = "https://\(server.place)/"
    let error = await transport.failure(of: request)
    #expect(error?.message == "127.0.0.1 speaks no TLS that is safe.")
    try await transport.shutdown()
  }

  private func openSSL(_ arguments: [String], output: FileHandle = .nullDevice) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/openssl")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }
}
