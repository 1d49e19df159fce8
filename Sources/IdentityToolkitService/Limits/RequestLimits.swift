import AuthCore
import IdentityToolkit

/// The limits that a request counts against.
struct RequestLimits: Sendable {
  let limits: RateLimits
  let limiter: RateLimiter

  /// Counts a request before any work is done for it.
  ///
  /// Admins are not counted.
  func takeRequest(from address: String?, at now: Timestamp) throws(WireError) {
    guard limits.requestsPerAddressAndMinute > 0 else { return }
    try limiter.take(
      "requests", of: Self.subject(address), limit: limits.requestsPerAddressAndMinute,
      seconds: 60, at: now)
  }

  /// Counts a request against the limits of its operation.
  func takeOperation(
    _ name: String, _ body: WireFields, from address: String?, at now: Timestamp
  ) throws {
    guard limits != .none else { return }
    let operation = name.split(separator: ".").last.map(String.init) ?? name
    let subject = Self.subject(address)
    if operation == "signUp", try body.filled("idToken") == nil {
      try limiter.take(
        "sign-ups", of: subject, limit: limits.signUpsPerAddressAndHour, seconds: 3600, at: now)
    }
    if operation == "sendOobCode" { try takeMessage(from: address, at: now) }
  }

  /// Counts a message that a request causes.
  func takeMessage(from address: String?, at now: Timestamp) throws(WireError) {
    try limiter.take(
      "messages", of: Self.subject(address), limit: limits.messagesPerAddressAndHour,
      seconds: 3600, at: now)
  }

  static func subject(_ address: String?) -> String {
    address.map(ClientAddress.countedAs) ?? "unknown"
  }
}
