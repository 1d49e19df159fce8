import AsyncHTTPClient
import AuthCore
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import Testing

@testable import AuthServer
@testable import IdentityToolkitService

@Suite struct `Serving with TLS` {
  private static let folder = URL(filePath: NSTemporaryDirectory())

  /// Returns a self-signed certificate, made by openssl.
  private func certificate() throws -> HTTPConfiguration.TLSFiles {
    let stem = Self.folder.appending(path: "authgraph-tls-\(UUID().uuidString)").path
    let files = HTTPConfiguration.TLSFiles(
      certificatePath: "\(stem).pem", keyPath: "\(stem).key")
    let openssl = Process()
    openssl.executableURL = URL(filePath: "/usr/bin/env")
    openssl.arguments = [
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
      "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
      "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", files.keyPath, "-out",
      files.certificatePath,
    ]
    openssl.standardError = FileHandle.nullDevice
    try openssl.run()
    openssl.waitUntilExit()
    try #require(openssl.terminationStatus == 0)
    return files
  }

  private func remove(_ files: HTTPConfiguration.TLSFiles) {
    for path in [files.certificatePath, files.keyPath] {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  /// Requests the server's health; returns the version of HTTP that was used.
  private func ask(
    _ home: ServerHome, trusting files: HTTPConfiguration.TLSFiles,
    _ version: HTTPClient.Configuration.HTTPVersion
  ) async throws -> String {
    var configuration = HTTPClient.Configuration()
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(files.certificatePath))
    configuration.tlsConfiguration = tls
    configuration.httpVersion = version
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    do {
      let address = home.address.replacing("http://", with: "https://")
      let response = try await client.execute(
        HTTPClientRequest(url: "\(address)/health"), timeout: .seconds(30))
      _ = try await response.body.collect(upTo: 1024)
      try await client.shutdown()
      return "\(response.status.code) by HTTP \(response.version.major)"
    } catch {
      try await client.shutdown()
      throw error
    }
  }

  @Test func `clients get HTTP 2 if they offer it, and else HTTP 1.1`() async throws {
    let files = try certificate()
    defer { remove(files) }
    let loaded = try ServerCertificate(files)
    try await withServer(.production, configure: { $0.http.certificate = loaded }) { home in
      let both = try await ask(home, trusting: files, .automatic)
      #expect(both == "200 by HTTP 2")
      let one = try await ask(home, trusting: files, .http1Only)
      #expect(one == "200 by HTTP 1")
      // Nothing is answered without TLS.
      await #expect(throws: (any Error).self) { try await home.call("GET", "/health") }
    }
  }

  @Test func `every client gets HTTP 1.1 if HTTP 2 is off`() async throws {
    let files = try certificate()
    defer { remove(files) }
    let loaded = try ServerCertificate(files)
    try await withServer(
      .production,
      configure: {
        $0.http.certificate = loaded
        $0.http.offersHTTP2 = false
      }
    ) { home in
      let reply = try await ask(home, trusting: files, .automatic)
      #expect(reply == "200 by HTTP 1")
    }
  }

  @Test func `new connections get a certificate that was replaced, and a bad one is not taken`()
    async throws
  {
    let files = try certificate()
    let other = try certificate()
    defer { [files, other].forEach(remove) }
    let loaded = try ServerCertificate(files)
    try await withServer(.production, configure: { $0.http.certificate = loaded }) { home in
      for (from, to) in [
        (other.certificatePath, files.certificatePath), (other.keyPath, files.keyPath),
      ] {
        try Data(contentsOf: URL(filePath: from)).write(to: URL(filePath: to))
      }
      try loaded.reload()
      #expect(try await ask(home, trusting: other, .automatic) == "200 by HTTP 2")
      try Data("no key".utf8).write(to: URL(filePath: files.keyPath))
      #expect(throws: (any Error).self) { try loaded.reload() }
      #expect(try await ask(home, trusting: other, .automatic) == "200 by HTTP 2")
    }
  }
}
