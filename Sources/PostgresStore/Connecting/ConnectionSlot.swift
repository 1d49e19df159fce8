/// A thread's slot for a connection, which is replaced whenever the server is lost.
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

  /// The server process that a pooler assigned to the connection; nil for a direct connection.
  var pooledBackend: Int32? { connection.flatMap { $0.isPooled ? $0.backend : nil } }
  /// The process that the pool has counted for this slot.
  ///
  /// Only the pool changes it.
  var countedBackend: Int32?

  /// True if the connection is usable, as far as the client can know without a query.
  var isFit: Bool { isCurrent && connection?.isAlive == true }

  /// True if the connection belongs to the current generation, or if there is none.
  var isCurrent: Bool { connection == nil || generation == age.current }

  /// Returns a connection that seems alive, or makes a new one.
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

  /// Leaves a server that takes no changes, along with all connections of the same generation.
  func leaveServer() {
    if connection != nil { age.end(generation) }
    disconnect()
  }
}
