package import Foundation

/// A time in a person's words, such as `yesterday`, `1 day ago` or `2026-11-01`.
package enum TimePhrase {
  /// The forms that are read, for an error's remedy.
  package static let forms =
    "\"2h\", \"1 day ago\", \"today\", \"yesterday\", \"2026-11-01\", \"2026-11-01 14:30\" or "
    + "\"2026-11-01T14:30:00Z\""

  /// Reads a time, or throws `invalid-argument` naming the field and the accepted forms.
  ///
  /// A day begins at midnight in the zone, and a time without a zone is of it.
  package static func time(
    _ text: String, field: String, now: Timestamp, in zone: TimeZone
  ) throws(AuthError) -> Timestamp {
    if let time = read(text, now: now, in: zone) { return time }
    throw AuthError(
      .invalidArgument, "\"\(TextBounds(bytes: 64).cut(text))\" is not a time.", field: field,
      remedy: "Write \(forms).")
  }

  private static func read(_ text: String, now: Timestamp, in zone: TimeZone) -> Timestamp? {
    let clock = LocalClock(zone: zone)
    let text = text.lowercased().split(separator: " ").joined(separator: " ")
    switch text {
    case "now": return now
    case "today": return clock.midnight(of: clock.day(of: now))
    case "yesterday": return clock.midnight(of: clock.day(of: now) - 1)
    default: break
    }
    if let time = Timestamp(rfc3339: text) { return time }
    return clock.time(text) ?? span(text, before: now, clock)
  }

  /// Reads a span before now: `2h`, `2 hours`, `2 hours ago`, `an hour ago`.
  private static func span(
    _ text: String, before now: Timestamp, _ clock: LocalClock
  ) -> Timestamp? {
    var words = text.split(separator: " ").map(String.init)
    if words.count > 1, words.last == "ago" { words.removeLast() }
    if words.count == 1 {
      let digits = words[0].prefix { $0.isASCII && $0.isNumber }
      words = [String(digits), String(words[0].dropFirst(digits.count))]
    }
    guard words.count == 2,
      let count = ["a", "an", "one"].contains(words[0]) ? 1 : number(words[0])
    else { return nil }
    switch words[1] {
    case "s", "sec", "second", "seconds": return now.adding(seconds: -count)
    case "m", "min", "minute", "minutes": return now.adding(seconds: -count * 60)
    case "h", "hour", "hours": return now.adding(seconds: -count * 3600)
    case "d", "day", "days": return now.adding(seconds: -count * 86_400)
    case "w", "week", "weeks": return now.adding(seconds: -count * 604_800)
    case "month", "months": return clock.time(now, monthsEarlier: count)
    case "y", "year", "years": return clock.time(now, monthsEarlier: count * 12)
    default: return nil
    }
  }

  private static func number(_ text: String) -> Int64? {
    guard (1...6).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int64(text)
  }
}

/// The days and times of a time zone.
private struct LocalClock {
  let zone: TimeZone

  /// Returns the local day of a time, as a number of days since 1970-01-01.
  func day(of time: Timestamp) -> Int64 {
    local(time).flooredDivision(by: 86_400).quotient
  }

  func midnight(of day: Int64) -> Timestamp { time(local: day * 86_400) }

  /// Reads a date, with or without a time of the day.
  func time(_ text: String) -> Timestamp? {
    let parts = text.split(whereSeparator: { $0 == " " || $0 == "t" })
    guard (1...2).contains(parts.count), let day = Self.day(parts[0]) else { return nil }
    guard parts.count == 2 else { return midnight(of: day) }
    let clock = parts[1].split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(clock.count), clock.allSatisfy({ $0.utf8.count == 2 }),
      let hour = Self.number(clock[0]), let minute = Self.number(clock[1]),
      let second = clock.count == 3 ? Self.number(clock[2]) : 0, hour < 24, minute < 60,
      second < 60
    else { return nil }
    return time(local: day * 86_400 + hour * 3600 + minute * 60 + second)
  }

  /// Returns the same day and time some months earlier; the last day of a month that is shorter.
  func time(_ time: Timestamp, monthsEarlier count: Int64) -> Timestamp? {
    let (days, second) = local(time).flooredDivision(by: 86_400)
    let date = CivilDate(daysSince1970: days)
    let (year, month) = (date.year * 12 + date.month - 1 - count).flooredDivision(by: 12)
    let same = (0...3).lazy.compactMap { less in
      CivilDate(year: year, month: month + 1, day: date.day - less)
    }.first
    return same.map { self.time(local: $0.daysSince1970 * 86_400 + second) }
  }

  private static func day(_ text: Substring) -> Int64? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], let year = number(parts[0]),
      let month = number(parts[1]), let day = number(parts[2])
    else { return nil }
    return CivilDate(year: year, month: month, day: day)?.daysSince1970
  }

  private static func number(_ text: Substring) -> Int64? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
  }

  /// Returns the seconds that a local clock shows, as if it were UTC.
  private func local(_ time: Timestamp) -> Int64 {
    let seconds = time.milliseconds.flooredDivision(by: 1000).quotient
    return seconds + offset(at: seconds)
  }

  /// Returns the time at which a local clock shows some seconds.
  private func time(local seconds: Int64) -> Timestamp {
    // The offset of a time close by may be that before a change of the clocks.
    let guess = seconds - offset(at: seconds)
    return Timestamp(milliseconds: 0).adding(seconds: seconds - offset(at: guess))
  }

  private func offset(at seconds: Int64) -> Int64 {
    Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
  }
}
