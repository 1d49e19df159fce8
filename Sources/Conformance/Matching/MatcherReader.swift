import AuthValues

/// Reads matchers from JSON, and refuses words that it does not know.
struct MatcherReader {
  let place: CasePlace

  /// The words, in the order in which they are checked.
  static let words = [
    "$absent", "$type", "$keep", "$matches", "$count", "$contains", "$token", "$tokenHeader",
    "$json", "$parameter", "$now", "$not",
  ]

  func matcher(_ value: JSONValue) throws(AuthError) -> Matcher {
    switch value {
    case .object(let members):
      let words = members.keys.filter { $0.hasPrefix("$") && !$0.hasPrefix("${") }
      if words.isEmpty { return .members(try self.members(members)) }
      return .checks(try checks(members, words.sorted()))
    case .array(let list):
      var entries: [Matcher] = []
      for entry in list { entries.append(try matcher(entry)) }
      return .entries(entries)
    case .string, .null, .bool, .integer, .number: return .value(value)
    }
  }

  private func members(
    _ members: [String: JSONValue]
  ) throws(AuthError) -> [String: Matcher] {
    var matchers: [String: Matcher] = [:]
    for (name, value) in members { matchers[name] = try matcher(value) }
    return matchers
  }

  private func checks(
    _ members: [String: JSONValue], _ words: [String]
  ) throws(AuthError) -> [Matcher.Check] {
    if let unknown = words.first(where: { !Self.words.contains($0) }) {
      throw place.fault(
        "Unknown matcher \"\(unknown)\".", field: unknown,
        remedy: suggestion(for: unknown, among: Self.words))
    }
    guard words.count == members.count else {
      throw place.fault(
        "An object has matchers and members.", field: words[0],
        remedy: "Put the members into an object of their own, such as \"$token\": {…}.")
    }
    guard members["$absent"] == nil || members.count == 1 else {
      throw place.fault("\"$absent\" stands alone.", field: "$absent")
    }
    var checks: [Matcher.Check] = []
    for word in Self.words {
      guard let value = members[word] else { continue }
      checks.append(try check(word, value))
    }
    return checks
  }

  private func check(
    _ word: String, _ value: JSONValue
  ) throws(AuthError) -> Matcher.Check {
    switch (word, value) {
    case ("$absent", .bool(true)): return .absent
    case ("$keep", .string(let name)) where Self.isName(name): return .keep(name)
    case ("$type", .string(let name)):
      if let kind = JSONKind(rawValue: name) { return .type(kind) }
    case ("$matches", .string(let text)): return try pattern(text)
    case ("$contains", _): return .contains(try matcher(value))
    case ("$count", .integer(let count)) where count >= 0: return .count(Int(count))
    case ("$token", .object): return .claims(try matcher(value))
    case ("$tokenHeader", .object): return .tokenHeader(try matcher(value))
    case ("$json", _): return .json(try matcher(value))
    case ("$not", _): return .not(try matcher(value))
    case ("$now", .integer(let seconds)) where seconds >= 0: return .now(Int(seconds))
    case ("$parameter", .object): return try parameter(value)
    default: break
    }
    throw place.fault(
      "\(value.text) is no argument of \"\(word)\".", field: word,
      remedy: "The article \"Conformance\" lists the matchers.")
  }

  private func parameter(_ value: JSONValue) throws(AuthError) -> Matcher.Check {
    let object = try CaseObject(
      value, "matcher \"$parameter\"", known: ["of", "keep", "is"], place)
    let name = try object.neededText("of")
    let inner = try object.members["is"].map { value throws(AuthError) in try matcher(value) }
    return .parameter(of: name, keep: try object.text("keep"), is: inner)
  }

  private func pattern(_ text: String) throws(AuthError) -> Matcher.Check {
    var sample = ""
    for part in CaseTemplate.parts(of: text) {
      switch part {
      case .text(let text): sample += text
      case .name: sample += "x"
      }
    }
    do {
      _ = try Regex(sample)
    } catch {
      throw place.fault(
        "\"\(text)\" is no regular expression.", field: "$matches",
        remedy: "Escape special characters with a backslash, which JSON writes as two.")
    }
    return .pattern(text, Self.groups(in: text))
  }

  /// Returns the names of a pattern's groups: `tenant` of `(?<tenant>.+)`.
  private static func groups(in pattern: String) -> [String] {
    pattern.split(separator: "(?<").dropFirst().compactMap { part in
      guard let end = part.firstIndex(of: ">") else { return nil }
      let name = String(part[..<end])
      return isName(name) ? name : nil
    }
  }

  private static func isName(_ text: String) -> Bool {
    CaseTemplate.parts(of: "${\(text)}") == [.name(text)]
  }
}
