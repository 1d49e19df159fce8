import AuthValues
import AuthTesting
import Testing

@Suite struct TimestampReadingTests {
  @Test(
    arguments: [
      ("2023-11-14T22:13:20.123Z", 1_700_000_000_123),
      ("2023-11-14T22:13:20.1239Z", 1_700_000_000_123), ("1970-01-01T00:00:00.5Z", 500),
      ("2023-11-15T00:13:20+02:00", 1_700_000_000_000),
      ("2023-11-14t22:13:20z", 1_700_000_000_000), ("2023-11-14 22:13:20Z", 1_700_000_000_000),
      ("1969-12-31T23:59:59.999Z", -1), ("2024-02-29T00:00:00Z", 1_709_164_800_000),
      ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("0001-01-01T00:00:00Z", -62_135_596_800_000),
    ] as [(String, Int64)])
  func `RFC 3339 is read`(text: String, milliseconds: Int64) {
    #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
  }

  @Test(
    arguments: [
      "2023-02-29T00:00:00Z", "2023-11-14", "2023-11-14T24:00:00Z", "2023-11-14T22:13:20", "x",
      "2023-13-01T00:00:00Z", "2023-11-14T22:13:20.Z", "2023-11-14T22:13:20Z ", "",
      "2023-11-14T22:13:20+0100", "2023-1-1T00:00:00Z", "12023-11-14T22:13:20Z",
    ])
  func `nothing else is read`(text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }

  @Test func `a written time of any year is read again`() {
    var generator = SeededGenerator(seed: 20_261_125)
    for _ in 0..<2000 {
      // From the year 0 to the end of 9999.
      let time = Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &generator)
      let text = Timestamp(milliseconds: time).text
      #expect(Timestamp(rfc3339: text)?.milliseconds == time, "\(text)")
    }
  }

  @Test func `years outside of the RFC have no text`() {
    for time: Int64 in [-62_167_219_200_001, 253_402_300_800_000, .min, .max] {
      #expect(Timestamp(milliseconds: time).rfc3339(withMilliseconds: true) == nil)
    }
  }
}
