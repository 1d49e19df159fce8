import AuthValues
import AuthTesting
import Foundation
import Testing

/// Our own writer gives the same text as Foundation's formatter.
@Suite struct TimestampTextTests {
  private func formatted(_ seconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
  }

  @Test func `any moment of the years from 1600 on is written as a formatter writes it`() {
    var generator = SeededGenerator(seed: 20_261_122)
    for _ in 0..<2000 {
      // To the end of the year 9999.
      let seconds = Int64.random(in: -11_676_096_000...253_402_300_799, using: &generator)
      #expect(Timestamp(milliseconds: seconds * 1000).text == formatted(seconds))
    }
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (951_782_400_000, "2000-02-29T00:00:00Z"), (4_107_542_399_007, "2100-02-28T23:59:59.007Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (1_700_000_000_050, "2023-11-14T22:13:20.050Z"),
    ] as [(Int64, String)])
  func `milliseconds are written if there are any`(milliseconds: Int64, text: String) {
    #expect(Timestamp(milliseconds: milliseconds).text == text)
  }

  @Test func `a moment beyond those years is written too`() {
    for seconds: Int64 in [-11_676_096_001, 253_402_300_800] {
      #expect(Timestamp(milliseconds: seconds * 1000).text == formatted(seconds))
    }
  }
}
