import AuthCore
import AuthTesting
import Foundation
import PostgresStore
import Testing
import TestSupport

/// Passwords and certificates.
@Suite(.serialized) struct AccessTests {
  @Test func `a password lets in, and a wrong one is not shown`() async throws {
    var options = PostgresServer.Options()
    options.accessRules = ["local all all trust", "host all postgres all trust"]
    options.accessRules += ["host all all all scram-sha-256"]
    let server = try PostgresServer(options)
    try server.run("create role ada login superuser password 'right-word'")

    let store = try PostgresStore(url: server.url(user: "ada", password: "right-word"))
    defer { store.close() }
    try await store.add("a")
    let wrong = try expectRefusal(
      server.url(user: "ada", password: "wrong-word"), .storeUnavailable, saying: "let this user in"
    )
    let missing = try expectRefusal(
      server.url(user: "ada"), .storeUnavailable, saying: "let this user in")

    #expect(try await store.uids() == ["a"])
    for error in [wrong, missing] {
      #expect(!String(reflecting: error).contains("-word"), "\(error)")
      #expect(error.remedy?.contains("password") == true)
    }
  }

  @Test func `a server's certificate is held against the root that is named`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (certificate, key) = try selfSigned("own", in: folder)
    let (other, _) = try selfSigned("other", in: folder)
    var options = PostgresServer.Options()
    options.accessRules = ["local all all trust", "hostssl all all all trust"]
    options.files = [
      "server.crt": try String(contentsOfFile: certificate, encoding: .utf8),
      "server.key": try String(contentsOfFile: key, encoding: .utf8),
    ]
    options.settings = [
      "ssl": "on", "ssl_cert_file": "../server.crt", "ssl_key_file": "../server.key",
    ]
    let server = try PostgresServer(options)
    func url(_ host: String, _ mode: String, root: String) -> String {
      server.url(host: host, options: ["sslmode=\(mode)", "sslrootcert=\(root)"])
    }

    let store = try PostgresStore(url: url("localhost", "verify-full", root: certificate))
    defer { store.close() }
    try await store.add("a")

    #expect(try await store.uids() == ["a"])
    #expect(
      try server.run(
        "select bool_and(ssl) from pg_stat_ssl join pg_stat_activity using (pid)"
          + " where application_name = 'authgraph'") == "t")
    let untrusted = [
      try expectRefusal(
        url("localhost", "verify-full", root: other), .storeUnavailable,
        saying: "certificate verify failed"),
      try expectRefusal(
        url("127.0.0.1", "verify-full", root: certificate), .storeUnavailable,
        saying: "does not match"),
      try expectRefusal(
        url("localhost", "verify-full", root: "/nowhere.crt"), .storeUnavailable,
        saying: "cannot be trusted"),
    ]
    for error in untrusted { #expect(error.remedy?.contains("sslrootcert") == true, "\(error)") }
    try expectRefusal(
      url("localhost", "disable", root: certificate), .storeUnavailable, saying: "pg_hba")
  }

  /// Makes a self-signed certificate for `localhost`, and its key.
  private func selfSigned(_ name: String, in folder: String) throws -> (String, String) {
    let (certificate, key) = ("\(folder)/\(name).crt", "\(folder)/\(name).key")
    try runProgram(
      "openssl",
      [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
        "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
      ])
    return (certificate, key)
  }
}
