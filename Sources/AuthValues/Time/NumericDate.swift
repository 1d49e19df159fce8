/// A time in a token: seconds since 1970, with or without a fraction (RFC 7519 section 2).
///
/// A caller rounds a fraction finer than a millisecond to the token holder's disadvantage: an end is rounded down, a
/// beginning up.
package struct NumericDate: Hashable, Sendable {
  /// The last second of the year 9999; a later time is invalid, and could overflow a ``Timestamp``.
  package static let latestSecond: Int64 = 253_402_300_799

  /// The time in milliseconds, rounded down.
  package let floor: Timestamp
  /// The time in milliseconds, rounded up.
  package let ceiling: Timestamp

  /// The time in whole seconds, rounded down.
  package var seconds: Int64 { floor.milliseconds / 1000 }

  /// Reads a claim; nil for anything but a number from 0 to the end of the year 9999.
  package init?(_ value: JSONValue?) {
    switch value {
    case .integer(let seconds): self.init(seconds, 0)
    case .number(let number):
      guard let whole = Int64(exactly: number.rounded(.down)) else { return nil }
      self.init(whole, number - Double(whole))
    default: return nil
    }
  }

  private init?(_ seconds: Int64, _ fraction: Double) {
    guard (0...Self.latestSecond).contains(seconds) else { return nil }
    let milliseconds = min(fraction * 1000, 1000)
    floor = Timestamp(milliseconds: seconds * 1000 + Int64(milliseconds.rounded(.down)))
    ceiling = Timestamp(milliseconds: seconds * 1000 + Int64(milliseconds.rounded(.up)))
  }
}
