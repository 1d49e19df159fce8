/// A request that a server answered with a fault of its own, and when.
struct ServerFault: Sendable, CustomStringConvertible {
  let status: Int
  let operation: String
  let message: String
  let sent: ContinuousClock.Instant
  let answered: ContinuousClock.Instant

  /// Whether the server may answer so: it was unavailable, and its database was away at some time of the request.
  func isExcused(by windows: [ClosedRange<ContinuousClock.Instant>]) -> Bool {
    status == 503 && windows.contains { $0.overlaps(sent...answered) }
  }

  var description: String { "\(operation): \(status) \(message) after \(answered - sent)" }
}
