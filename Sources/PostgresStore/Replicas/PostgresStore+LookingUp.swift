public import AuthCore
import SQLAccounts
import Synchronization

extension PostgresStore {
  /// Reads from the primary server, or from a replica if `source` allows it and one has caught up with every commit
  /// before the call.
  public func read<Result: Sendable>(
    from source: ReadSource, _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    guard source == .replica else { return try await read(.reading) { try body($0) } }
    try Task.checkCancellation()
    // If the primary server does not answer now, the plain read has the patience to wait for it.
    guard let (replica, turn) = nextReplica(), let position = try? await position.current() else {
      return try await lookUpOnPrimary(body)
    }
    do {
      return try await replica.read(from: position, turn) { [settings] session in
        let result = try body(SQLTransaction(session, settings))
        try session.finishReading()
        return result
      }
    } catch is ReplicaPassedOver {
      return try await lookUpOnPrimary(body)
    }
  }

  private func lookUpOnPrimary<Result: Sendable>(
    _ body: @escaping @Sendable (any AccountReader) throws -> Result
  ) async throws -> Result {
    // Other engines may run each of the queries in its own transaction, although they are sent together.
    try await read(engine == .postgres ? .glancing : .reading) { try body($0) }
  }

  /// Returns the next replica that does not rest, in turn.
  private func nextReplica() -> (replica: Replica, turn: ReplicaRest.Turn)? {
    let number = turns.add(1, ordering: .relaxed).newValue
    for index in replicas.indices {
      let replica = replicas[(index + number) % replicas.count]
      if let turn = replica.turn() { return (replica, turn) }
    }
    return nil
  }
}
