import NIOConcurrencyHelpers

/// When the connection that listens was last known to bring what servers announce.
final class Hearing: Sendable {
  /// How old a proof may become before nothing that is kept is trusted.
  static let longestSilence = Duration.milliseconds(1300)

  private struct State {
    var provenAt = ContinuousClock.now
    var hasFailed = false
    var isStopped = false
  }

  private let state = NIOLockedValueBox(State())

  var goesOn: Bool { state.withLockedValue { !$0.isStopped } }

  /// Whether something may have been announced that was not heard.
  var isLate: Bool {
    state.withLockedValue { state in
      state.hasFailed || ContinuousClock.now - state.provenAt > Self.longestSilence
    }
  }

  func stop() { state.withLockedValue { $0.isStopped = true } }

  /// The connection just answered.
  func prove() {
    state.withLockedValue { state in
      state.provenAt = .now
      state.hasFailed = false
    }
  }

  /// The connection is gone.
  func fail() { state.withLockedValue { $0.hasFailed = true } }
}
