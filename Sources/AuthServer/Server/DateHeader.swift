import Foundation
import NIOConcurrencyHelpers

/// The `Date` of answers, formatted once a second (RFC 9110, sections 5.6.7 and 6.6.1).
final class DateHeader: Sendable {
  private struct Written {
    var second: Int?
    var text = ""
  }

  private let written = NIOLockedValueBox(Written())

  /// The current time as HTTP writes it.
  var now: String {
    let second = Int(Date().timeIntervalSince1970.rounded(.down))
    return written.withLockedValue { written in
      if written.second != second { written = Written(second: second, text: Self.text(second)) }
      return written.text
    }
  }

  /// Returns a second since 1970 as HTTP writes it.
  static func text(_ second: Int) -> String {
    var time = time_t(second)
    var parts = tm()
    gmtime_r(&time, &parts)
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits).joined(separator: ":")
    return """
      \(days[Int(parts.tm_wday)]), \(twoDigits(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \
      \(1900 + parts.tm_year) \(clock) GMT
      """
  }

  private static func twoDigits(_ number: Int32) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
