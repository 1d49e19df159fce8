/// The rest of a replica that fell behind or failed, during which lookups go to the primary server.
///
/// Each failure doubles the rest, from one second to thirty. After it, a single lookup tries the replica; the others
/// stay with the primary server until that one has succeeded.
struct ReplicaRest {
  /// The first and the longest rest, in seconds.
  static let shortest = 1.0
  static let longest = 30.0

  /// The number of times in a row that the replica was behind or failed.
  private(set) var failures = 0
  private var end: ContinuousClock.Instant?

  /// A permission to use a replica.
  enum Turn {
    /// The replica has kept up so far and is worth waiting for some milliseconds.
    case use
    /// The replica has rested; it is asked once, without waiting.
    case trial
  }

  /// Returns the way to use the replica now; nil while it rests.
  mutating func turn(at now: ContinuousClock.Instant) -> Turn? {
    guard let end else { return .use }
    guard now >= end else { return nil }
    // For as long as the trial may take, so that only one lookup waits.
    self.end = now + .seconds(Self.shortest)
    return .trial
  }

  /// Records that the replica answered from a recent state.
  mutating func answered() {
    guard failures > 0 else { return }
    failures = 0
    end = nil
  }

  /// Records that the replica was behind or failed.
  mutating func failed(_ turn: Turn, at now: ContinuousClock.Instant) {
    // Failures of simultaneous lookups count as one.
    if turn == .use, failures > 0 { return }
    failures += 1
    end = now + .seconds(seconds)
  }

  /// The length of the current rest in seconds.
  var seconds: Double {
    let doublings = min(max(0, failures - 1), 10)
    return min(Self.shortest * Double(1 << doublings), Self.longest)
  }
}
