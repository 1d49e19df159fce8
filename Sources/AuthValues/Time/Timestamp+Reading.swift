extension Timestamp {
  /// Reads a time in RFC 3339 form; nil for any other text.
  ///
  /// A space may replace the `T`, and a leap second counts as the next second. Fractions finer than a millisecond are
  /// cut off.
  package init?(rfc3339 text: String) {
    var reader = TimeReader(text)
    guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2),
      reader.skip("-"), let day = reader.number(2), reader.skip("Tt "),
      let date = CivilDate(year: year, month: month, day: day),
      let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2),
      reader.skip(":"), let second = reader.number(2), hour < 24, minute < 60, second <= 60,
      let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd
    else { return nil }
    let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - offset * 60
    self.init(milliseconds: seconds * 1000 + fraction)
  }
}

/// A reader of a time's parts, from left to right.
private struct TimeReader {
  private var rest: Substring.UTF8View
  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func number(_ digits: Int) -> Int64? {
    let text = rest.prefix(digits)
    guard text.count == digits, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    rest = rest.dropFirst(digits)
    return text.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  mutating func skip(_ letters: String) -> Bool {
    guard let first = rest.first, letters.utf8.contains(first) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Reads milliseconds; further digits are cut off.
  mutating func fraction() -> Int64? {
    guard skip(".") else { return 0 }
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
    let three = Array(digits.prefix(3)) + Array(repeating: 0x30, count: max(0, 3 - digits.count))
    return three.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  /// Reads minutes east of UTC.
  mutating func offset() -> Int64? {
    if skip("Zz") { return 0 }
    let sign: Int64
    if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
    guard let hours = number(2), skip(":"), let minutes = number(2), hours < 24, minutes < 60 else {
      return nil
    }
    return sign * (hours * 60 + minutes)
  }
}
