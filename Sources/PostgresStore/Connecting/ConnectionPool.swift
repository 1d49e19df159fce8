import AuthCore
import Foundation

/// A number of threads with a connection each, which take work in the order in which it comes.
///
/// libpq waits where it is called, and must not do so on a thread of Swift's tasks. A thread connects first and takes
/// work then, so that work never waits for one connection while another is idle. Work whose connection is lost goes on
/// with the next one.
final class ConnectionPool: Sendable {
  /// The generation of the connections.
  let age: ConnectionAge
  private let line: WaitingLine

  /// Makes a pool, with a connection that was made already if one is given.
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

  /// Ends the threads once what waits is done.
  func close() {
    line.close()
  }

  /// Runs work on a thread that has a connection; work whose task is cancelled before is not done.
  ///
  /// Work that throws ``ConnectionLost`` runs again on another connection as long as its ticket allows. If no
  /// connection at all can be made it fails after `patience`. `isAhead` puts it before all that waits.
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

/// The connection is of no use any more, and what was under way may run again on another one.
struct ConnectionLost: Error {
  let failure: PostgresFailure
}

/// A piece of work that waits for a connection.
struct PoolJob: Sendable {
  enum Outcome {
    case done
    /// It has to run again, on another connection.
    case lost
  }

  let ticket: Ticket
  let run: @Sendable (ConnectionSlot) -> Outcome
  let refuse: @Sendable (any Error) -> Void
}
