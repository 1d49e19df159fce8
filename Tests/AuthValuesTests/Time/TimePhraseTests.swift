import AuthValues
import Foundation
import Testing

@Suite struct TimePhraseTests {
  /// 2026-11-26T15:45:10.123Z, a Thursday.
  private let now = Timestamp(milliseconds: 1_795_707_910_123)

  private func text(_ phrase: String, in zone: String = "GMT") throws -> String {
    let zone = try #require(TimeZone(identifier: zone))
    return try TimePhrase.time(phrase, field: "since", now: now, in: zone).text
  }

  @Test(arguments: [
    ("now", "2026-11-26T15:45:10.123Z"), ("2h", "2026-11-26T13:45:10.123Z"),
    ("2 hours ago", "2026-11-26T13:45:10.123Z"), ("an hour ago", "2026-11-26T14:45:10.123Z"),
    ("90s", "2026-11-26T15:43:40.123Z"), ("30m", "2026-11-26T15:15:10.123Z"),
    ("1 day ago", "2026-11-25T15:45:10.123Z"), ("1d", "2026-11-25T15:45:10.123Z"),
    ("3 weeks", "2026-11-05T15:45:10.123Z"), ("1 month ago", "2026-10-26T15:45:10Z"),
    ("9 months ago", "2026-02-26T15:45:10Z"), ("1 Year  Ago", "2025-11-26T15:45:10Z"),
    ("today", "2026-11-26T00:00:00Z"), ("Yesterday", "2026-11-25T00:00:00Z"),
    ("2026-11-01", "2026-11-01T00:00:00Z"), ("2026-11-01 14:30", "2026-11-01T14:30:00Z"),
    ("2026-11-01T14:30:05", "2026-11-01T14:30:05Z"),
    ("2026-11-01T14:30:05+01:00", "2026-11-01T13:30:05Z"),
    ("2026-11-01 14:30:05.5z", "2026-11-01T14:30:05.500Z"), (" today ", "2026-11-26T00:00:00Z"),
  ])
  func `words are a time`(phrase: String, wanted: String) throws {
    #expect(try text(phrase) == wanted)
  }

  @Test(arguments: [
    ("today", "Europe/Berlin", "2026-11-25T23:00:00Z"),
    ("today", "America/Los_Angeles", "2026-11-26T08:00:00Z"),
    ("yesterday", "Asia/Kolkata", "2026-11-24T18:30:00Z"),
    ("2026-07-01", "Europe/Berlin", "2026-06-30T22:00:00Z"),
    // The clocks change on these days.
    ("2026-10-25", "Europe/Berlin", "2026-10-24T22:00:00Z"),
    ("2026-10-26", "Europe/Berlin", "2026-10-25T23:00:00Z"),
    ("2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00Z"),
    ("2026-03-30", "Europe/Berlin", "2026-03-29T22:00:00Z"),
    ("2026-11-01 14:30", "Europe/Berlin", "2026-11-01T13:30:00Z"),
    ("2026-11-01T14:30:00Z", "Europe/Berlin", "2026-11-01T14:30:00Z"),
    ("1 day ago", "Europe/Berlin", "2026-11-25T15:45:10.123Z"),
  ])
  func `a day begins at midnight in the zone`(phrase: String, zone: String, wanted: String) throws {
    #expect(try text(phrase, in: zone) == wanted)
  }

  @Test func `a month that is too short ends with its last day`() throws {
    let march = try #require(Timestamp(rfc3339: "2024-03-31T12:00:00Z"))
    let time = try TimePhrase.time("1 month ago", field: "since", now: march, in: .gmt)
    #expect(time.text == "2024-02-29T12:00:00Z")
  }

  @Test(arguments: [
    "", "x", "2", "h", "-2h", "2 h h", "ago", "2 fortnights", "1000000000000h", "2026-13-01",
    "2026-02-30", "2026-11-1", "11/01/2026", "2026-11-01 25:00", "2026-11-01 14:3", "tomorrow",
    "2026-11-01 14:30 15:00", "٣ days",
  ])
  func `anything else is refused with the forms`(phrase: String) throws {
    let error = try #require(throws: AuthError.self) { try text(phrase) }
    #expect(error.code == .invalidArgument && error.field == "since")
    #expect(error.remedy?.contains("\"1 day ago\"") == true)
    #expect(error.remedy?.contains("yesterday") == true)
  }
}
