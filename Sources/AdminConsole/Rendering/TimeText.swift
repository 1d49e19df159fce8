import AuthCore
import Foundation

extension TimeZone {
  /// The zone's name for people, such as `Europe/Paris` or `UTC`.
  var shownName: String { isUTC ? "UTC" : identifier }

  fileprivate var isUTC: Bool {
    ["GMT", "UTC", "Etc/UTC", "Etc/GMT"].contains(identifier)
  }
}

extension Timestamp {
  /// The time in a zone to the second, for a table whose header names the zone.
  func text(in zone: TimeZone) -> String {
    let seconds = Int64((Double(milliseconds) / 1000).rounded(.down))
    let local = Timestamp(milliseconds: (seconds + Int64(offset(of: zone))) * 1000)
    // Beyond the years of the calendar's text there are no zones.
    guard let text = local.rfc3339(withMilliseconds: false) else { return self.text }
    return String(text.dropLast()).replacing("T", with: " ")
  }

  /// The time in a zone to the second, with the zone: `2026-11-25 04:32:36 UTC`, `2026-11-25 05:32:36 +01:00`.
  func textWithZone(_ zone: TimeZone) -> String {
    guard !zone.isUTC else { return "\(text(in: zone)) UTC" }
    let minutes = offset(of: zone) / 60
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let distance = "\(padded(abs(minutes) / 60)):\(padded(abs(minutes) % 60))"
    return "\(text(in: zone)) \(minutes < 0 ? "-" : "+")\(distance)"
  }

  private func offset(of zone: TimeZone) -> Int {
    zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
  }
}
