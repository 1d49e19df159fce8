import Foundation

extension Timestamp {
  /// Returns the time of the machine's clock.
  public static func now() -> Timestamp {
    Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
  }

  /// The time as RFC 3339 text in UTC, with milliseconds only if they are not zero.
  public var text: String { text(withMilliseconds: milliseconds % 1000 != 0) }

  /// Returns the time as RFC 3339 text in UTC; beyond the years of that RFC, in the corresponding form of ISO 8601.
  package func text(withMilliseconds hasFraction: Bool) -> String {
    rfc3339(withMilliseconds: hasFraction)
      ?? Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
  }

  /// Returns the time as RFC 3339 text in UTC; nil beyond the years 0 to 9999.
  package func rfc3339(withMilliseconds hasFraction: Bool) -> String? {
    let (seconds, fraction) = milliseconds.flooredDivision(by: 1000)
    let (days, second) = seconds.flooredDivision(by: 86_400)
    let date = CivilDate(daysSince1970: days)
    guard (0...9999).contains(date.year) else { return nil }
    var text: [UInt8] = []
    text.reserveCapacity(24)
    text.append(date.year, digits: 4, then: "-")
    text.append(date.month, digits: 2, then: "-")
    text.append(date.day, digits: 2, then: "T")
    text.append(second / 3600, digits: 2, then: ":")
    text.append(second / 60 % 60, digits: 2, then: ":")
    text.append(second % 60, digits: 2, then: hasFraction ? "." : "Z")
    if hasFraction { text.append(fraction, digits: 3, then: "Z") }
    return String(decoding: text, as: UTF8.self)
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ number: Int64, digits: Int, then mark: Unicode.Scalar) {
    var divisor: Int64 = 1
    for _ in 1..<digits { divisor *= 10 }
    while divisor > 0 {
      append(0x30 + UInt8(number / divisor % 10))
      divisor /= 10
    }
    append(UInt8(ascii: mark))
  }
}
