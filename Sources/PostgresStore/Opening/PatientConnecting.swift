import Foundation

extension PostgresConnection {
  /// How long opening waits for a server that has no connection free, or is about to start.
  private static let patience = Duration.seconds(5)

  /// Connects, again for a while if the server takes connections but has none free just now.
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
