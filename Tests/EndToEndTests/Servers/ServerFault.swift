/// A request that was answered with a server error, and its times.
struct ServerFault: Sendable, CustomStringConvertible {
  let status: Int
  let operation: String
  let message: String
  let sent: ContinuousClock.Instant
  let answered: ContinuousClock.Instant

  /// Tells whether the answer is allowed: 503, while the database was unavailable at some time of the request.
  func isExcused(by windows: [ClosedRange<ContinuousClock.Instant>]) -> Bool {
    status == 503 && windows.contains { $0.overlaps(sent...answered) }
  }

  var description: String { "\(operation): \(status) \(message) after \(answered - sent)" }
}
