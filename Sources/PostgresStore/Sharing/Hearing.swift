import NIOConcurrencyHelpers

/// The last time at which the listening connection was known to deliver announcements.
final class Hearing: Sendable {
  /// The age of a proof after which no cached value is trusted.
  static let longestSilence = Duration.milliseconds(1300)

  private struct State {
    var provenAt = ContinuousClock.now
    var hasFailed = false
    var isStopped = false
  }

  private let state = NIOLockedValueBox(State())

  var goesOn: Bool { state.withLockedValue { !$0.isStopped } }

  /// True if an announcement may have been missed.
  var isLate: Bool {
    state.withLockedValue { state in
      state.hasFailed || ContinuousClock.now - state.provenAt > Self.longestSilence
    }
  }

  func stop() { state.withLockedValue { $0.isStopped = true } }

  /// Records that the connection answered.
  func prove() {
    state.withLockedValue { state in
      state.provenAt = .now
      state.hasFailed = false
    }
  }

  /// Records that the connection is lost.
  func fail() { state.withLockedValue { $0.hasFailed = true } }
}
