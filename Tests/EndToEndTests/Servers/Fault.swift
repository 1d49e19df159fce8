import AuthTesting
import Foundation

/// Something bad that happens to the servers or their database, and passes.
enum Fault: Hashable, CustomStringConvertible {
  case killedServer(Int)
  case killedDatabase
  case stoppedDatabase
  case pausedDatabase
  case cutNetwork

  /// One or two that go together.
  static func random(
    _ cluster: Cluster, using random: inout SeededGenerator
  ) -> [Fault] {
    var possible: [Fault] = (0..<Cluster.size).map { .killedServer($0) }
    possible += [.killedDatabase, .stoppedDatabase, .pausedDatabase]
    if cluster.network != nil { possible += [.cutNetwork, .cutNetwork] }
    let first = possible.randomElement(using: &random) ?? .killedDatabase
    guard Int.random(in: 0..<3, using: &random) == 0 else { return [first] }
    // One database has one thing happen to it.
    let others = possible.filter { $0.isOfDatabase ? !first.isOfDatabase : $0 != first }
    return [first] + [others.randomElement(using: &random)].compactMap(\.self)
  }

  private var isOfDatabase: Bool {
    switch self {
    case .killedDatabase, .stoppedDatabase, .pausedDatabase: true
    case .killedServer, .cutNetwork: false
    }
  }

  func begin(_ cluster: Cluster) throws {
    switch self {
    case .killedServer(let index): cluster.kill(index)
    case .killedDatabase: try cluster.database.kill()
    case .stoppedDatabase: try cluster.database.stop()
    case .pausedDatabase: try cluster.database.pause()
    case .cutNetwork: try cluster.network?.cut()
    }
  }

  func end(_ cluster: Cluster) throws {
    switch self {
    case .killedServer(let index): try cluster.start(index)
    case .killedDatabase, .stoppedDatabase: try cluster.database.start()
    case .pausedDatabase: try cluster.database.resume()
    case .cutNetwork: try cluster.network?.mend()
    }
  }

  /// The server that it happened to, where it was killed.
  var killedServer: Int? {
    if case .killedServer(let index) = self { index } else { nil }
  }

  var description: String {
    switch self {
    case .killedServer(let index): "server \(index) killed"
    case .killedDatabase: "database killed"
    case .stoppedDatabase: "database stopped"
    case .pausedDatabase: "database paused"
    case .cutNetwork: "cable cut"
    }
  }
}
