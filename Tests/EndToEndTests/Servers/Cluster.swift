import AuthCore
import AuthTesting
import Foundation
import Synchronization

/// Three servers on one PostgreSQL, one of them behind a cable of its own where we are root.
///
/// Everything here waits for other processes.
final class Cluster: Sendable {
  let database: PostgresServer
  let network: NetworkSpace?
  static let size = 3
  private let folder: TemporaryFolder
  private let servers = Mutex<[RunningServer?]>(Array(repeating: nil, count: size))

  init(in folder: TemporaryFolder) throws {
    self.folder = folder
    network = geteuid() == 0 ? try NetworkSpace() : nil
    var options = PostgresServer.Options()
    options.addresses = network.map { [$0.databaseAddress] } ?? []
    database = try PostgresServer(options)
    for index in 0..<Self.size { try start(index) }
  }

  deinit {
    for server in servers.withLock(\.self) { server?.kill() }
  }

  /// Where a server is; nil while it is not.
  func address(_ index: Int) -> String? {
    servers.withLock { $0[index]?.address }
  }

  func server(_ index: Int) throws -> RunningServer {
    guard let server = servers.withLock({ $0[index] }) else {
      throw Failed(description: "server \(index) does not run")
    }
    return server
  }

  /// Starts a server as its supervisor would: again and again while its database is not there.
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

  /// The last server is the one behind the cable.
  private func launch(_ index: Int) throws -> RunningServer {
    let inside = index == Self.size - 1 ? network : nil
    return try RunningServer(
      [
        "--compat", "emulator", "--host", inside?.serverAddress ?? "127.0.0.1", "--port", "0",
        "--key-file", "\(folder.path)/key",
      ],
      in: folder,
      environment: [
        "AUTHGRAPH_STORE": database.url(
          schema: "authgraph", host: inside?.databaseAddress ?? "127.0.0.1")
      ], by: inside?.runner ?? [])
  }
}
