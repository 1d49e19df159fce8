import AuthCore
import AuthTesting
import Foundation
import Synchronization
import TestSupport

/// Three servers on one PostgreSQL database, each with its own way to reach it.
///
/// The first is behind a ``DatabaseProxy``, the second behind a pooler, and the third, if the tests run as root, behind
/// a cable that can be cut. Everything here waits for other processes.
final class Cluster: Sendable {
  let database: PostgresServer
  let network: NetworkSpace?
  let wire: DatabaseProxy
  let pooler: Pooler
  let burst = Burst()
  static let size = 3
  /// The maximum number of a server's connections for callers; it listens on one more.
  static let connections = 8
  private let folder: TemporaryFolder
  private let held = Mutex<HeldConnections?>(nil)
  private let servers = Mutex<[RunningServer?]>(Array(repeating: nil, count: size))

  init(in folder: TemporaryFolder) throws {
    self.folder = folder
    network = geteuid() == 0 ? try NetworkSpace() : nil
    var options = PostgresServer.Options()
    options.addresses = network.map { [$0.databaseAddress] } ?? []
    options.settings = ["max_connections": "\(Self.size * (Self.connections + 1) + 20)"]
    database = try PostgresServer(options)
    guard let port = database.port else { throw Failed(description: "a database has no port") }
    wire = try DatabaseProxy(to: port)
    pooler = try Pooler(before: database, mode: .session, size: Self.connections + 1)
    for index in 0..<Self.size { try start(index) }
  }

  deinit {
    for server in servers.withLock(\.self) { server?.kill() }
    wire.end()
  }

  /// Returns the address of a server; nil while it does not run.
  func address(_ index: Int) -> String? {
    servers.withLock { $0[index]?.address }
  }

  func server(_ index: Int) throws -> RunningServer {
    guard let server = servers.withLock({ $0[index] }) else {
      throw Failed(description: "server \(index) does not run")
    }
    return server
  }

  /// Starts a server like a supervisor: repeatedly while its database is unavailable.
  func start(_ index: Int) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      do {
        let server = try launch(index)
        return servers.withLock { $0[index] = server }
      } catch {
        guard ContinuousClock.now < deadline else { throw error }
      }
    }
  }

  func kill(_ index: Int) {
    let server = servers.withLock { servers in
      defer { servers[index] = nil }
      return servers[index]
    }
    server?.kill()
  }

  /// Takes all remaining connections of the database, and sends each server more callers than it has connections.
  func occupyConnections() throws {
    let holder = try HeldConnections(of: database)
    held.withLock { $0 = holder }
    burst.send(to: (0..<Self.size).compactMap(address), callers: Self.connections * 2)
  }

  func freeConnections() {
    held.withLock { held in
      held?.release()
      held = nil
    }
  }

  private func launch(_ index: Int) throws -> RunningServer {
    let inside = index == Self.size - 1 ? network : nil
    let options = ["connections=\(Self.connections)"]
    var url = database.url(
      schema: "authgraph", host: inside?.databaseAddress ?? "127.0.0.1", options: options)
    if index == 0, let port = database.port {
      url = url.replacing(":\(port)/", with: ":\(wire.port)/")
    }
    if index == 1 { url = pooler.url(schema: "authgraph", options: options) }
    return try RunningServer(
      [
        "--compat", "emulator", "--host", inside?.serverAddress ?? "127.0.0.1", "--port", "0",
        "--key-file", "\(folder.path)/key",
      ],
      in: folder, environment: ["AUTHGRAPH_STORE": url],
      by: inside?.runner ?? [])
  }
}
