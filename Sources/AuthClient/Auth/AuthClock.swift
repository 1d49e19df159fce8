public import Foundation

/// The clock of an ``Auth``: the expiry of ID tokens, and the schedule of their automatic refresh.
///
/// An app uses ``system``. A test gives its own clock to the client and to the server, and moves both.
public struct AuthClock: Sendable {
  /// Returns the current time.
  let now: @Sendable () -> Date
  /// Waits for a time; throws if the task is cancelled.
  let sleep: @Sendable (Duration) async throws -> Void

  /// The clock of the device.
  public static let system = AuthClock(now: { Date() })

  /// Makes a clock.
  ///
  /// - Parameters:
  ///   - now: Returns the current time.
  ///   - sleep: Waits for a time, and throws `CancellationError` if the task is cancelled.
  public init(
    now: @escaping @Sendable () -> Date,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.now = now
    self.sleep = sleep
  }
}
