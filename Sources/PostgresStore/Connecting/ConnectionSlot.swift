/// A thread's place for a connection, which comes and goes with the server.
final class ConnectionSlot {
  private let options: ConnectionOptions
  private var connection: PostgresConnection?
  private let age: ConnectionAge
  /// The generation of the connection.
  private(set) var generation: Int

  init(
    _ options: ConnectionOptions, age: ConnectionAge = ConnectionAge(),
    holding connection: PostgresConnection? = nil
  ) {
    self.options = options
    self.age = age
    self.connection = connection
    generation = age.current
  }

  var hasConnection: Bool { connection != nil }

  /// The process of the server that a pooler has given to the connection; nil of a direct one.
  var pooledBackend: Int32? { connection.flatMap { $0.isPooled ? $0.backend : nil } }
  /// The process that the pool has counted for this place; only the pool's.
  var countedBackend: Int32?

  /// Whether the connection can be used, as far as can be told without asking the server.
  var isFit: Bool { isCurrent && connection?.isAlive == true }

  /// Whether the connection is of the present generation; true without a connection.
  var isCurrent: Bool { connection == nil || generation == age.current }

  /// A connection that is alive as far as can be told, a new one if there is none.
  func connected() throws(PostgresFailure) -> PostgresConnection {
    if let connection, isFit { return connection }
    connection = nil
    let now = age.current
    let fresh = try PostgresConnection(options)
    try fresh.configure(options)
    try fresh.enterPool()
    generation = now
    connection = fresh
    return fresh
  }

  func disconnect() {
    connection = nil
  }

  /// Leaves a server that takes no changes, and has all connections of the same generation do so.
  func leaveServer() {
    if connection != nil { age.end(generation) }
    disconnect()
  }
}
