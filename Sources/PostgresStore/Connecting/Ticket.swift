import Synchronization

/// What goes with a piece of work from one connection to the next: whether its task was cancelled, and its attempts.
final class Ticket: Sendable {
  /// How long work waits for a connection before its first attempt.
  static let longestWait = Duration.seconds(10)

  private let isCancelled = Atomic(false)
  private let attempts = Mutex<Attempts?>(nil)
  private let loss = Mutex<PostgresFailure?>(nil)
  private let reach: ContinuousClock.Instant
  private let deadline = ContinuousClock.now + longestWait

  /// Makes a ticket for work that waits up to `patience` if no connection at all can be made.
  init(patience: Duration = longestWait) {
    reach = .now + patience
  }

  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  func check() throws {
    if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
  }

  /// Whether it is too late for the first attempt, or for another one.
  var isOver: Bool { attempts.withLock { $0?.isOver } ?? (ContinuousClock.now >= deadline) }

  /// Why it was given up once it is over.
  var reason: any Error { loss.withLock(\.self) ?? NoConnectionFree() }

  /// Remembers why it has to run again.
  func lose(_ failure: PostgresFailure) { loss.withLock { $0 = failure } }

  /// Whether it waits no longer for a first connection to be made.
  var isImpatient: Bool { ContinuousClock.now >= reach || isOver }

  var shouldStandInLine: Bool { attempts.withLock { $0?.shouldStandInLine ?? false } }

  /// Begins the time of the attempts, unless it has begun.
  func begin() { attempts.withLock { $0 = $0 ?? Attempts() } }

  /// Waits a little after a failure; false if there is no time for another attempt.
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
