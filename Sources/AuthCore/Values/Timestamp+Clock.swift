import Foundation

extension Timestamp {
  /// The time of the machine's clock.
  public static func now() -> Timestamp {
    Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
  }

  /// The time as RFC 3339 text in UTC, with milliseconds only where there are any.
  public var text: String { text(withMilliseconds: milliseconds % 1000 != 0) }

  /// The time as RFC 3339 text in UTC.
  package func text(withMilliseconds hasFraction: Bool) -> String {
    let (seconds, fraction) = milliseconds.flooredDivision(by: 1000)
    let (days, second) = seconds.flooredDivision(by: 86_400)
    guard let date = CivilDate(days: days) else {
      let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
    }
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

/// A day of the Gregorian calendar, of the years 1600 to 9999.
private struct CivilDate {
  let year: Int64
  let month: Int64
  let day: Int64

  /// From days since 1970, by years that begin in March, so that the leap day is their last one.
  init?(days: Int64) {
    guard (-135_140...2_932_896).contains(days) else { return nil }
    let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shifted + 2) / 5 + 1
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }
}

extension Int64 {
  fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
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
