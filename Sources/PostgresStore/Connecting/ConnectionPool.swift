import AuthCore
import Foundation

/// A pool of threads, each with its own connection, that take work in order of arrival.
///
/// libpq blocks, which a thread of Swift's cooperative pool must not do. A thread connects first and then takes work,
/// so no work waits for one connection while another is idle. If a connection is lost, its work continues on the next
/// one.
final class ConnectionPool: Sendable {
  /// The generation of the connections.
  let age: ConnectionAge
  private let line: WaitingLine

  /// Makes a pool, with a first connection if one is given.
  init(
    _ options: ConnectionOptions, age: ConnectionAge = ConnectionAge(),
    holding first: sending PostgresConnection? = nil
  ) {
    self.age = age
    line = WaitingLine(options, age)
    if let first { line.start(with: ConnectionSlot(options, age: age, holding: first)) }
  }

  deinit {
    close()
  }

  /// Ends the threads once all waiting work is done.
  func close() {
    line.close()
  }

  /// Runs work on a thread that has a connection.
  ///
  /// Work whose task is cancelled before it starts is not run.
  ///
  /// Work that throws ``ConnectionLost`` runs again on another connection for as long as its ticket allows. If no
  /// connection can be made at all, it fails after `patience`. With `isAhead` it goes to the front of the line.
  func perform<Value: Sendable>(
    patience: Duration = Ticket.longestWait, isAhead: Bool = false,
    _ work: @escaping @Sendable (ConnectionSlot, Ticket) throws -> Value
  ) async throws -> Value {
    let ticket = Ticket(patience: patience)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let job = PoolJob(ticket: ticket) { slot in
          do {
            try ticket.check()
            guard !ticket.isOver else { throw ticket.reason }
            ticket.begin()
            continuation.resume(returning: try work(slot, ticket))
          } catch let loss as ConnectionLost {
            guard !ticket.isOver else {
              continuation.resume(throwing: loss.failure)
              return .done
            }
            ticket.lose(loss.failure)
            return .lost
          } catch {
            continuation.resume(throwing: error)
          }
          return .done
        } refuse: {
          continuation.resume(throwing: $0)
        }
        line.add(job, isAhead: isAhead)
      }
    } onCancel: {
      ticket.cancel()
    }
  }
}

/// Every connection was busy for too long.
struct NoConnectionFree: Error {}

/// The connection cannot be used any more.
///
/// Its work may run again on another one.
struct ConnectionLost: Error {
  let failure: PostgresFailure
}

/// Work that waits for a connection.
struct PoolJob: Sendable {
  enum Outcome {
    case done
    /// The work has to run again, on another connection.
    case lost
  }

  let ticket: Ticket
  let run: @Sendable (ConnectionSlot) -> Outcome
  let refuse: @Sendable (any Error) -> Void
}
