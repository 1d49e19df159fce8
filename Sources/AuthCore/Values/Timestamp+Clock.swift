import Foundation

extension Timestamp {
  /// The time of the machine's clock.
  public static func now() -> Timestamp {
    Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
  }

  /// The time as RFC 3339 text in UTC, with milliseconds only where there are any.
  public var text: String {
    let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    let hasFraction = milliseconds % 1000 != 0
    return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
  }
}
