import Foundation

extension PostgresConnection {
  /// The time that opening waits for a server that has no connection free or is starting.
  private static let patience = Duration.seconds(5)

  /// Connects, and tries again for a while if the server is up but has no connection free.
  static func patiently(_ options: ConnectionOptions) throws(PostgresFailure) -> PostgresConnection
  {
    let deadline = ContinuousClock.now + patience
    var failures = 0
    while true {
      do throws(PostgresFailure) {
        return try PostgresConnection(options)
      } catch {
        guard error.problem == .noSlot || error.problem == .starting,
          ContinuousClock.now < deadline
        else { throw error }
        failures += 1
        Attempts.pause(after: failures).sleep()
      }
    }
  }
}
