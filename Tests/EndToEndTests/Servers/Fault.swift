import AuthTesting
import Foundation

/// A temporary fault of the servers or their database.
enum Fault: Hashable, CustomStringConvertible {
  case killedServer(Int)
  case killedDatabase
  case stoppedDatabase
  case pausedDatabase
  case cutNetwork
  /// The database refuses changes.
  case readOnlyDatabase
  /// Other clients hold all connections that the servers have not opened, and many callers arrive at once.
  case fewConnections
  /// The connection on which a server receives changes stays open, but no data passes.
  case silentListener

  /// A pooler uses another connection for each transaction.
  case transactionPooler

  /// The faults of several servers and their connections, while the database runs.
  static let ofSharing: [Fault] = [
    .readOnlyDatabase, .fewConnections, .silentListener, .transactionPooler,
  ]

  /// Returns one fault, or two that can be combined.
  static func random(
    _ cluster: Cluster, using random: inout SeededGenerator
  ) -> [Fault] {
    var possible: [Fault] = (0..<Cluster.size).map { .killedServer($0) }
    possible += [.killedDatabase, .stoppedDatabase, .pausedDatabase]
    possible += ofSharing
    if cluster.network != nil { possible += [.cutNetwork, .cutNetwork] }
    let first = possible.randomElement(using: &random) ?? .killedDatabase
    guard Int.random(in: 0..<3, using: &random) == 0 else { return [first] }
    // The database can have only one fault at a time.
    let others = possible.filter { $0.isOfDatabase ? !first.isOfDatabase : $0 != first }
    return [first] + [others.randomElement(using: &random)].compactMap(\.self)
  }

  private var isOfDatabase: Bool {
    switch self {
    case .killedDatabase, .stoppedDatabase, .pausedDatabase, .readOnlyDatabase, .fewConnections:
      true
    case .killedServer, .cutNetwork, .silentListener, .transactionPooler: false
    }
  }

  func begin(_ cluster: Cluster) throws {
    switch self {
    case .killedServer(let index): cluster.kill(index)
    case .killedDatabase: try cluster.database.kill()
    case .stoppedDatabase: try cluster.database.stop()
    case .pausedDatabase: try cluster.database.pause()
    case .cutNetwork: try cluster.network?.cut()
    case .readOnlyDatabase: try cluster.database.setReadOnly(true)
    case .fewConnections: try cluster.occupyConnections()
    case .silentListener: cluster.wire.silenceListeners()
    case .transactionPooler: try cluster.pooler.change(to: .transaction)
    }
  }

  func end(_ cluster: Cluster) throws {
    switch self {
    case .killedServer(let index): try cluster.start(index)
    case .killedDatabase, .stoppedDatabase: try cluster.database.start()
    case .pausedDatabase: try cluster.database.resume()
    case .cutNetwork: try cluster.network?.mend()
    case .readOnlyDatabase: try cluster.database.setReadOnly(false)
    case .fewConnections: cluster.freeConnections()
    // The server has to detect it without help.
    case .silentListener: break
    case .transactionPooler: try cluster.pooler.change(to: .session)
    }
  }

  /// Tells whether a server may answer meanwhile that it is unavailable.
  var takesDatabaseAway: Bool {
    switch self {
    case .killedDatabase, .stoppedDatabase, .pausedDatabase, .cutNetwork, .readOnlyDatabase,
      .transactionPooler:
      true
    case .killedServer, .fewConnections, .silentListener: false
    }
  }

  /// The killed server, if one was killed.
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
    case .readOnlyDatabase: "database read-only"
    case .fewConnections: "few connections"
    case .silentListener: "listening connection silent"
    case .transactionPooler: "pooler in transaction mode"
    }
  }
}
