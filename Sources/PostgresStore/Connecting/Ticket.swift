import Synchronization

/// The state that work carries from one connection to the next: its cancellation, deadline and attempts.
final class Ticket: Sendable {
  /// The time that work waits for a connection before its first attempt.
  static let longestWait = Duration.seconds(10)

  private let isCancelled = Atomic(false)
  private let attempts = Mutex<Attempts?>(nil)
  private let loss = Mutex<PostgresFailure?>(nil)
  private let reach: ContinuousClock.Instant
  private let deadline = ContinuousClock.now + longestWait

  /// Makes a ticket.
  ///
  /// Its work waits up to `patience` if no connection can be made at all.
  init(patience: Duration = longestWait) {
    reach = .now + patience
  }

  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  func check() throws {
    if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
  }

  /// True if it is too late for another attempt, or for the first one.
  var isOver: Bool { attempts.withLock { $0?.isOver } ?? (ContinuousClock.now >= deadline) }

  /// The reason for giving up once the time is over.
  var reason: any Error { loss.withLock(\.self) ?? NoConnectionFree() }

  /// Records the failure after which the work has to run again.
  func lose(_ failure: PostgresFailure) { loss.withLock { $0 = failure } }

  /// True once the work no longer waits for a first connection.
  var isImpatient: Bool { ContinuousClock.now >= reach || isOver }

  var shouldStandInLine: Bool { attempts.withLock { $0?.shouldStandInLine ?? false } }

  /// Starts the time of the attempts, unless it has started.
  func begin() { attempts.withLock { $0 = $0 ?? Attempts() } }

  /// Pauses after a failure; returns false if no time is left for another attempt.
  func waitForAnother() -> Bool {
    let pause = attempts.withLock { attempts in
      var now = attempts ?? Attempts()
      defer { attempts = now }
      return now.pauseBeforeAnother()
    }
    guard let pause else { return false }
    pause.sleep()
    return true
  }
}
