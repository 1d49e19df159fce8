import AuthValues

extension Matcher {
  /// Compares a value, which is nil for a missing member, and keeps the names of the matcher.
  ///
  /// `now` is the time for the matcher `$now`.
  func match(
    _ value: JSONValue?, _ values: inout CaseValues, now: Timestamp
  ) throws(Mismatch) {
    switch self {
    case .checks(let checks):
      if case .absent? = checks.first {
        guard value == nil else { throw Mismatch(expected: "no member", seen: value) }
        return
      }
      guard let value else { throw Mismatch(expected: "a member", seen: nil) }
      for check in checks { try check.match(value, &values, now: now) }
    case .value(let expected):
      let expected = try values.filled(expected)
      guard let value, expected.equals(value) else {
        throw Mismatch(expected: expected.text, seen: value)
      }
    case .entries(let entries):
      guard case .array(let list)? = value, list.count == entries.count else {
        throw Mismatch(expected: "a list of \(entries.count)", seen: value)
      }
      for (index, (entry, value)) in zip(entries, list).enumerated() {
        do throws(Mismatch) {
          try entry.match(value, &values, now: now)
        } catch {
          throw error.inside("[\(index)]")
        }
      }
    case .members(let members):
      guard case .object(let seen)? = value else {
        throw Mismatch(expected: "an object", seen: value)
      }
      for (name, matcher) in Self.ordered(members) {
        let name = try values.filled(name)
        do throws(Mismatch) {
          try matcher.match(seen[name], &values, now: now)
        } catch {
          throw error.inside(name)
        }
      }
    }
  }

  /// Orders members by name, after those that keep the names that they use.
  private static func ordered(_ members: [String: Matcher]) -> [(String, Matcher)] {
    var rest = members.sorted { $0.key < $1.key }
    var ordered: [(String, Matcher)] = []
    while !rest.isEmpty {
      let next = rest.indices.first { index in
        let used = rest[index].value.freeNames
        return rest.indices.allSatisfy {
          $0 == index || used.isDisjoint(with: rest[$0].value.keptNames)
        }
      }
      // Two members that need each other are matched in the order of their names.
      ordered.append(rest.remove(at: next ?? 0))
    }
    return ordered
  }
}

extension JSONValue {
  /// Compares two values; numbers are equal by their value.
  func equals(_ other: JSONValue) -> Bool {
    switch (self, other) {
    case (.integer(let a), .number(let b)), (.number(let b), .integer(let a)): Double(a) == b
    case (.array(let a), .array(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.equals($1) }
    case (.object(let a), .object(let b)):
      a.count == b.count && a.allSatisfy { name, value in b[name].map(value.equals) ?? false }
    default: self == other
    }
  }
}
