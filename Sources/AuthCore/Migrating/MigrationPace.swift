import Synchronization

/// The time that recent refusals of the old system took.
///
/// A wrong password for an account that has its own is refused without asking the old system. It waits as long as one
/// of these refusals, so that the time of an answer does not tell which addresses have an account.
final class MigrationPace: Sendable {
  private static let kept = 8
  private static let longest = Duration.seconds(5)
  private let recent = Mutex<[Duration]>([])

  /// Notes a refusal of the old system.
  func note(_ duration: Duration) {
    recent.withLock { recent in
      recent.append(min(duration, Self.longest))
      if recent.count > Self.kept { recent.removeFirst() }
    }
  }

  /// Returns the time that one of the recent refusals took; zero without any.
  func duration(choosing random: UInt64) -> Duration {
    recent.withLock { recent in
      recent.isEmpty ? .zero : recent[Int(random % UInt64(recent.count))]
    }
  }
}
