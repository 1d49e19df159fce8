import AuthValues

extension Matcher.Check {
  /// Checks a value that is there.
  func match(
    _ value: JSONValue, _ values: inout CaseValues, now: Timestamp
  ) throws(Mismatch) {
    switch self {
    case .absent: throw Mismatch(expected: "no member", seen: value)
    case .keep(let name):
      guard value != .null else { throw Mismatch(expected: "a value", seen: value) }
      values.keep(value, as: name)
    case .type(let kind):
      guard JSONKind(of: value) == kind else {
        throw Mismatch(expected: "a value of type \(kind.rawValue)", seen: value)
      }
    case .pattern(let text, let groups):
      try match(pattern: text, groups: groups, value, &values)
    case .count(let count):
      guard case .array(let list) = value, list.count == count else {
        throw Mismatch(expected: "a list of \(count)", seen: value)
      }
    case .contains(let inner): try find(inner, in: value, &values, now)
    case .claims(let inner):
      try inner.match(Self.part(\.payload, of: value), inside: " payload", &values, now: now)
    case .tokenHeader(let inner):
      try inner.match(Self.part(\.header, of: value), inside: " header", &values, now: now)
    case .json(let inner):
      guard let text = value.stringValue, let parsed = try? JSONValue(text: text) else {
        throw Mismatch(expected: "JSON in a text", seen: value)
      }
      try inner.match(parsed, inside: " JSON", &values, now: now)
    case .not(let inner):
      var copy = values
      do throws(Mismatch) {
        try inner.match(value, &copy, now: now)
      } catch {
        return
      }
      throw Mismatch(expected: "another value", seen: value)
    case .parameter(let name, let keep, let inner):
      guard let text = value.stringValue, let found = URLText.query(of: text)?[name] else {
        throw Mismatch(expected: "a URL with the parameter \(name)", seen: value)
      }
      if let keep { values.keep(.string(found), as: keep) }
      if let inner { try inner.match(.string(found), inside: "?\(name)", &values, now: now) }
    case .now(let seconds):
      guard let time = value.time, abs(time.milliseconds - now.milliseconds) <= seconds * 1000
      else { throw Mismatch(expected: "a time within \(seconds) s of now", seen: value) }
    }
  }

  private func find(
    _ inner: Matcher, in value: JSONValue, _ values: inout CaseValues, _ now: Timestamp
  ) throws(Mismatch) {
    switch value {
    case .string(let text):
      guard case .value(let part) = inner,
        let wanted = try values.filled(part).stringValue
      else { throw Mismatch(expected: "a list", seen: value) }
      guard text.contains(wanted) else {
        throw Mismatch(expected: "a text with \(JSONValue.string(wanted).text)", seen: value)
      }
    case .array(let list):
      for entry in list {
        var copy = values
        guard (try? inner.match(entry, &copy, now: now)) != nil else { continue }
        values = copy
        return
      }
      throw Mismatch(expected: "a list with \(inner.text(values))", seen: value)
    default: throw Mismatch(expected: "a list or a text", seen: value)
    }
  }

  private func match(
    pattern: String, groups: [String], _ value: JSONValue, _ values: inout CaseValues
  ) throws(Mismatch) {
    let pattern = try values.filled(pattern) { text in
      String(text.flatMap { $0.isPatternSign ? ["\\", $0] : [$0] })
    }
    let mismatch = Mismatch(expected: "a text like \(pattern)", seen: value)
    guard let text = value.stringValue, let regex = try? Regex(pattern),
      let match = text.firstMatch(of: regex)
    else { throw mismatch }
    for name in groups {
      guard let group = match[name]?.substring else { continue }
      values.keep(.string(String(group)), as: name)
    }
  }

  private static func part(
    _ part: KeyPath<TokenParts, ArraySlice<UInt8>>, of value: JSONValue
  ) throws(Mismatch) -> JSONValue {
    guard let text = value.stringValue, let parts = TokenParts(text),
      let object = TokenParts.object(parts[keyPath: part])
    else { throw Mismatch(expected: "a token", seen: value) }
    return object
  }
}

extension Character {
  /// True for a character that a regular expression may read as a sign.
  fileprivate var isPatternSign: Bool { isASCII && !isLetter && !isNumber && self != "_" }
}

extension Matcher {
  /// Compares a value that is inside another, such as the payload of a token.
  fileprivate func match(
    _ value: JSONValue, inside name: String, _ values: inout CaseValues, now: Timestamp
  ) throws(Mismatch) {
    do throws(Mismatch) {
      try match(value, &values, now: now)
    } catch {
      throw error.inside(name)
    }
  }

  /// The expectation in one line, for a list that lacks it.
  fileprivate func text(_ values: CaseValues) -> String {
    switch self {
    case .value(let value): (try? values.filled(value).text) ?? value.text
    case .members(let members):
      "an object {"
        + members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.text(values))" }
        .joined(separator: ", ") + "}"
    case .entries(let entries): "a list of \(entries.count)"
    case .checks: "a value that matches"
    }
  }
}

extension JSONValue {
  /// The time that a number or a text tells: seconds or milliseconds since 1970, or RFC 3339.
  fileprivate var time: Timestamp? {
    func since1970(_ number: Double) -> Timestamp? {
      guard number.magnitude < 1e15 else { return nil }
      return Timestamp(milliseconds: Int64(number > 1e11 ? number : number * 1000))
    }
    switch self {
    case .integer(let number): return since1970(Double(number))
    case .number(let number): return since1970(number)
    case .string(let text):
      return Int64(text).flatMap { since1970(Double($0)) } ?? Timestamp(rfc3339: text)
    case .null, .bool, .array, .object: return nil
    }
  }
}
