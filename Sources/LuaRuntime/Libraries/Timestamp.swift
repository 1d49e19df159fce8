/// Converts milliseconds since 1970 to RFC 3339 and back, in UTC and without a calendar library.
enum Timestamp {
  static func format(_ call: LuaCall) throws -> String {
    let time = try call.integer(1, "milliseconds")
    guard let text = format(time) else {
      throw call.argumentError(1, "a time in the years 0 to 9999 expected", name: "milliseconds")
    }
    return text
  }

  static func parse(_ call: LuaCall) throws -> LuaValue {
    parse(try call.string(1, "text")).map { .integer($0) } ?? .nil
  }

  static func format(_ time: Int64) -> String? {
    let day = Int((Double(time) / 86_400_000).rounded(.down))
    let (year, month, date) = civil(day)
    guard (0...9999).contains(year) else { return nil }
    let rest = Int(time - Int64(day) * 86_400_000)
    func two(_ value: Int) -> String { padded(value, 2) }
    let clock = "\(two(rest / 3_600_000)):\(two(rest / 60_000 % 60)):\(two(rest / 1000 % 60))"
    return "\(padded(year, 4))-\(two(month))-\(two(date))T\(clock).\(padded(rest % 1000, 3))Z"
  }

  static func parse(_ text: String) -> Int64? {
    var reader = TimeReader(text)
    guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2),
      reader.skip("-"), let date = reader.number(2), reader.skip("Tt "),
      let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2),
      reader.skip(":"), let second = reader.number(2), (1...12).contains(month),
      (1...daysIn(month, of: year)).contains(date), hour < 24, minute < 60, second <= 60
    else { return nil }
    guard let fraction = reader.fraction(), let offset = reader.offset(), reader.isAtEnd else {
      return nil
    }
    let seconds =
      days(year, month, date) * 86_400 + hour * 3600 + minute * 60 + second - offset * 60
    return Int64(seconds) * 1000 + Int64(fraction)
  }

  private static func padded(_ value: Int, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func daysIn(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Counts days since 1970.
  ///
  /// Years begin in March, so that the leap day comes last.
  private static func days(_ year: Int, _ month: Int, _ date: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let ofEra = year - era * 400
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + date - 1
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }

  private static func civil(_ day: Int) -> (year: Int, month: Int, date: Int) {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let ofEra = shifted - era * 146_097
    let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * year + year / 4 - year / 100)
    let month = (5 * ofYear + 2) / 153
    let date = ofYear - (153 * month + 2) / 5 + 1
    let civilMonth = month < 10 ? month + 3 : month - 9
    return (year + era * 400 + (civilMonth <= 2 ? 1 : 0), civilMonth, date)
  }
}

extension LuaState {
  /// Reads a time in RFC 3339, or a day in UTC, as `time.parse` counts it; nil if the text is neither.
  package static func milliseconds(of text: String) -> Int64? {
    Timestamp.parse(text) ?? Timestamp.parse("\(text)T00:00:00Z")
  }
}

/// Reads the parts of a timestamp from left to right.
struct TimeReader {
  private var rest: Substring.UTF8View
  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func number(_ digits: Int) -> Int? {
    let text = rest.prefix(digits)
    guard text.count == digits, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    rest = rest.dropFirst(digits)
    return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  mutating func skip(_ letters: String) -> Bool {
    guard let first = rest.first, letters.utf8.contains(first) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Reads milliseconds; further digits are cut off.
  mutating func fraction() -> Int? {
    guard skip(".") else { return 0 }
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
    let three = Array(digits.prefix(3)) + Array(repeating: 0x30, count: max(0, 3 - digits.count))
    return three.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// Reads minutes east of UTC.
  mutating func offset() -> Int? {
    if skip("Zz") { return 0 }
    let sign: Int
    if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
    guard let hours = number(2), skip(":"), let minutes = number(2), hours < 24, minutes < 60 else {
      return nil
    }
    return sign * (hours * 60 + minutes)
  }
}
