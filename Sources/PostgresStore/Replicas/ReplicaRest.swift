/// The rest of a replica that fell behind or failed: lookups go to the primary server meanwhile.
///
/// Each failure doubles the rest, from one second to thirty. When it is over a single lookup tries the replica, and all
/// others stay with the primary server until that one has come back.
struct ReplicaRest {
  /// The first rest and the longest, in seconds.
  static let shortest = 1.0
  static let longest = 30.0

  /// How many times in a row the replica was of no use.
  private(set) var failures = 0
  private var end: ContinuousClock.Instant?

  /// How a lookup may use a replica.
  enum Turn {
    /// The replica kept up so far, and is worth waiting for some milliseconds.
    case use
    /// The replica was left alone; it is asked once, without waiting.
    case trial
  }

  /// The way to use the replica now; nil while it rests.
  mutating func turn(at now: ContinuousClock.Instant) -> Turn? {
    guard let end else { return .use }
    guard now >= end else { return nil }
    // For as long as the trial may take, so that it is one lookup that waits.
    self.end = now + .seconds(Self.shortest)
    return .trial
  }

  /// The replica answered from a state that is new enough.
  mutating func answered() {
    guard failures > 0 else { return }
    failures = 0
    end = nil
  }

  /// The replica was behind or failed in a turn.
  mutating func failed(_ turn: Turn, at now: ContinuousClock.Instant) {
    // Lookups that used it at the same time are one failure.
    if turn == .use, failures > 0 { return }
    failures += 1
    end = now + .seconds(seconds)
  }

  /// How long the present rest lasts.
  var seconds: Double {
    let doublings = min(max(0, failures - 1), 10)
    return min(Self.shortest * Double(1 << doublings), Self.longest)
  }
}
