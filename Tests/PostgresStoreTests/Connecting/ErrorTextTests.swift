import AuthCore
import AuthTesting
import Foundation
import PostgresStore
import Testing

/// Problems with connections, provoked for real, and their remedies.
@Suite(.serialized) struct `D11: errors of connections` {
  /// A failure, and the words of its cause and remedy.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let url: @Sendable (PostgresServer) -> String
    let cause: String
    let remedy: String

    var testDescription: String { name }
  }

  static let rows = [
    Row(
      name: "refused", url: { _ in "postgres://postgres@127.0.0.1:1/postgres" },
      cause: "cannot be reached", remedy: "PostgreSQL runs there"),
    Row(
      name: "no socket", url: { _ in "postgres:///postgres?host=/nowhere" },
      cause: "cannot be reached", remedy: "PostgreSQL runs there"),
    Row(
      name: "unknown host", url: { _ in "postgres://postgres@nowhere.invalid/postgres" },
      cause: "is unknown", remedy: "host"),
    Row(
      name: "no TLS", url: { $0.url(options: ["sslmode=require"]) },
      cause: "has no TLS", remedy: "Turn on ssl"),
    Row(
      name: "no TLS to verify",
      url: {
        $0.url(options: ["sslmode=verify-full", "sslrootcert=/etc/ssl/certs/ca-certificates.crt"])
      }, cause: "has no TLS", remedy: "Turn on ssl"),
    Row(
      name: "no TLS, and no certificate to verify with",
      url: { $0.url(options: ["sslmode=verify-full"]) }, cause: "has no TLS", remedy: "Turn on ssl"
    ),
    Row(
      name: "no database", url: { $0.url().dropLast("postgres".count) + "no_such_place" },
      cause: "does not exist", remedy: "createdb"),
    Row(
      name: "no role", url: { $0.url(user: "nobody_here") }, cause: "let this user in",
      remedy: "user and password"),
    Row(
      name: "wrong password", url: { $0.url(user: "ada", password: "wrong") },
      cause: "let this user in", remedy: "password"),
    Row(
      name: "no password", url: { $0.url(user: "ada") }, cause: "let this user in",
      remedy: "password"),
    Row(
      name: "not let in", url: { $0.url(user: "bob") }, cause: "let this user in",
      remedy: "pg_hba.conf"),
    Row(
      name: "no slot for the role", url: { $0.url(user: "eve") }, cause: "no connection free",
      remedy: "CONNECTION LIMIT"),
    Row(
      name: "read-only", url: { $0.url(user: "rob") }, cause: "is read-only",
      remedy: "target_session_attrs=read-write"),
    Row(
      name: "read-only, and a server that is not is wanted",
      url: { $0.url(user: "rob", options: ["target_session_attrs=read-write"]) },
      cause: "is read-only", remedy: "Promote"),
    Row(
      name: "an unknown setting",
      url: { $0.url(options: ["options=-c%20no_such_setting%3D1"]) }, cause: "refuses an option",
      remedy: "Remove the option"),
    Row(
      name: "may not make tables", url: { $0.url(user: "guest") }, cause: "may not use",
      remedy: "Grant"),
  ]

  private static let server = Result {
    var options = PostgresServer.Options()
    options.isDurable = false
    options.accessRules = [
      "local all all trust", "host all ada all scram-sha-256", "host all bob all reject",
      "host all all all trust",
    ]
    let server = try PostgresServer(options)
    try server.run(
      """
      create role ada login password 'right'; create role bob login;
      create role eve login connection limit 0; create role guest login;
      create role rob login superuser; alter role rob set default_transaction_read_only = on
      """)
    return server
  }

  @Test(arguments: rows)
  func `have a cause and a remedy that fits it, in two sentences`(_ row: Row) throws {
    let error = try expectRefusal(
      row.url(try Self.server.get()), .storeUnavailable, saying: row.cause)

    Self.check(error, row.remedy)
  }

  @Test func `report that no slots are left, in any wording of the server`() throws {
    var options = PostgresServer.Options()
    options.settings = ["max_connections": "8", "superuser_reserved_connections": "3"]
    let server = try PostgresServer(options)
    try server.run("create role ada login; grant create on database postgres to ada")
    let stores = try (0..<5).map { _ in
      try PostgresStore(url: server.url(user: "ada", options: ["connections=1"]))
    }
    defer { for store in stores { store.close() } }

    let reserved = try expectRefusal(
      server.url(user: "ada"), .storeUnavailable, saying: "no connection free")
    #expect(reserved.message.contains("remaining connection slots are reserved"))
    Self.check(reserved, "max_connections")
  }

  @Test func `report a server that stands still, and one that is no PostgreSQL`() throws {
    let server = try PostgresServer()
    try server.pause()
    let silent = try expectRefusal(
      server.url(options: ["connect_timeout=2"]), .storeUnavailable, saying: "cannot be reached")
    try server.resume()
    Self.check(silent, "network")

    let web = try Greeter("HTTP/1.1 400 Bad Request\r\n\r\n")
    let other = try expectRefusal(
      "postgres://postgres@127.0.0.1:\(web.port)/postgres", .storeUnavailable,
      saying: "is not PostgreSQL")
    Self.check(other, "host and port")
  }

  @Test func `name each of several servers in one line`() throws {
    let error = try expectRefusal(
      "postgres://postgres@127.0.0.1:1,127.0.0.1:2/postgres", .storeUnavailable,
      saying: "cannot be reached")

    Self.check(error, "PostgreSQL runs there")
    #expect(error.message.contains("postgres://127.0.0.1:1,127.0.0.1:2/postgres"))
    #expect(error.message.contains("port 1 failed") && error.message.contains("port 2 failed"))
  }

  private static func check(_ error: AuthError, _ remedy: String) {
    #expect(error.remedy?.contains(remedy) == true, "\(error)")
    for text in [error.message, error.remedy ?? ""] {
      #expect(text.hasSuffix("."), "\(text)")
      #expect(!text.hasSuffix(".."), "\(text)")
      #expect(!text.contains("\n") && !text.contains("\t"), "\(text)")
    }
    #expect(!error.message.contains("Is the server running"))
    #expect(error.description.contains(". \(error.remedy ?? "-")"))
  }
}

/// A listener that answers every connection with one text.
private final class Greeter: Sendable {
  let port: Int
  private let listener: Int32

  init(_ text: String) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let status = withUnsafeMutablePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, size) == 0 && listen(descriptor, 8) == 0
          ? getsockname(descriptor, address, &size) : -1
      }
    }
    guard status == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    port = Int(UInt16(bigEndian: place.sin_port))
    Thread.detachNewThread {
      while true {
        let client = accept(descriptor, nil, nil)
        guard client >= 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 1024)
        _ = recv(client, &buffer, buffer.count, 0)
        _ = send(client, text, text.utf8.count, Int32(MSG_NOSIGNAL))
        close(client)
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }
}
