import AuthCore
import AuthTesting
import Foundation
import Testing
import TestSupport

/// The answers to a load balancer while a server runs and its database refuses changes.
@Suite(.serialized) struct `D4: the answer of a server whose database takes no changes` {
  private let folder: TemporaryFolder
  private let database: PostgresServer
  private static let signUp = "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k"

  init() throws {
    folder = try TemporaryFolder()
    var options = PostgresServer.Options()
    options.isDurable = false
    options.accessRules.append("host replication all all trust")
    database = try PostgresServer(options)
  }

  private func start(_ url: String) throws -> RunningServer {
    try RunningServer(
      ["--compat", "emulator", "--port", "0", "--key-file", "\(folder.path)/key"], in: folder,
      environment: ["AUTHGRAPH_STORE": url])
  }

  /// Waits until `/ready` answers with a status, and returns the time; the limit only prevents a hang.
  private static func wait(for status: Int, _ server: RunningServer) throws -> Duration {
    let began = ContinuousClock.now
    while try server.get("/ready").status != status {
      guard ContinuousClock.now - began < .seconds(60) else {
        throw Failed(description: "/ready never answered \(status):\n\(server.written)")
      }
      usleep(10_000)
    }
    return .now - began
  }

  @Test func `is no while it is read-only, with the reason, and yes soon after`() async throws {
    try await blocking { [database] in
      let server = try start(database.url())
      #expect(try server.get("/ready").status == 200)

      try database.setReadOnly(true)
      #expect(try Self.wait(for: 503, server) < .seconds(3))
      #expect(try server.get("/ready").body.contains("store-read-only"))
      #expect(try server.get("/health").status == 200)

      try database.setReadOnly(false)
      #expect(try Self.wait(for: 200, server) < .seconds(1))
      #expect(try Connection(to: server.address).post(Self.signUp, [:]).status == 200)
    }
  }

  @Test func `is no while it is away or stands still, within seconds, and yes soon after`()
    async throws
  {
    try await blocking { [database] in
      let server = try start(database.url())
      #expect(try server.get("/ready").status == 200)

      try database.stop()
      #expect(try Self.wait(for: 503, server) < .seconds(3))
      #expect(try server.get("/ready").body.contains("store-unreachable"))
      try database.start()
      #expect(try Self.wait(for: 200, server) < .seconds(1))

      usleep(1_100_000)
      try database.pause()
      #expect(try Self.wait(for: 503, server) < .seconds(4))
      #expect(try server.get("/ready").body.contains("store-unreachable"))
      try database.resume()
      #expect(try Self.wait(for: 200, server) < .seconds(2))
    }
  }

  @Test(arguments: ["", "?target_session_attrs=read-write"])
  func `changes with the primary server, and the log advises nothing that is there`(
    _ options: String
  ) async throws {
    try await blocking { [database] in
      var standbyOptions = PostgresServer.Options()
      standbyOptions.isDurable = false
      let standby = try PostgresServer(following: database, standbyOptions)
      let server = try start(
        "postgres://postgres@127.0.0.1:\(database.port ?? 0),127.0.0.1:\(standby.port ?? 0)"
          + "/postgres\(options)")
      let connection = try Connection(to: server.address)
      for _ in 0..<20 { #expect(try connection.post(Self.signUp, [:]).status == 200) }

      try database.setReadOnly(true)
      let position = try database.run("select pg_current_wal_lsn()")
      while try standby.run("select pg_last_wal_replay_lsn() >= '\(position)'") != "t" {}
      try standby.run("select pg_promote(true)")
      let promoted = ContinuousClock.now
      for _ in 0..<20 { #expect(try connection.post(Self.signUp, [:]).status == 200) }

      #expect(ContinuousClock.now - promoted < .seconds(1))
      #expect(try Self.wait(for: 200, server) < .seconds(1))
      #expect(try standby.run("select count(*) from authgraph.accounts") == "40")
      #expect(!server.written.contains("target_session_attrs"), "\(server.written)")
    }
  }

  @Test func `is yes on few connections, and every sign-up of two servers is answered`()
    async throws
  {
    try await blocking { [folder] in
      var options = PostgresServer.Options()
      options.isDurable = false
      options.settings = ["max_connections": "12"]
      let few = try PostgresServer(options)
      try few.run("create role ada login; grant create on database postgres to ada")
      let servers = try (0..<2).map { _ in
        try RunningServer(
          ["--compat", "emulator", "--port", "0", "--key-file", "\(folder.path)/key"], in: folder,
          environment: ["AUTHGRAPH_STORE": few.url(user: "ada")])
      }
      let results = Answers()
      let group = DispatchGroup()
      for caller in 0..<32 {
        group.enter()
        Thread.detachNewThread {
          defer { group.leave() }
          guard let connection = try? Connection(to: servers[caller % 2].address) else { return }
          for _ in 0..<12 {
            let began = ContinuousClock.now
            let status = (try? connection.post(Self.signUp, [:]).status) ?? 0
            results.add(status, .now - began)
          }
        }
      }
      group.wait()

      #expect(results.statuses == [200: 384])
      #expect(results.median < .milliseconds(500), "\(results.median)")
      for server in servers { #expect(try server.get("/ready").status == 200) }
    }
  }
}

/// The answers to clients, and their times.
private final class Answers: @unchecked Sendable {
  // The lock guards both properties.
  private let lock = NSLock()
  private var counts: [Int: Int] = [:]
  private var times: [Duration] = []

  func add(_ status: Int, _ time: Duration) {
    lock.withLock {
      counts[status, default: 0] += 1
      times.append(time)
    }
  }

  var statuses: [Int: Int] { lock.withLock { counts } }
  var median: Duration { lock.withLock { times.sorted()[times.count / 2] } }
}
