import AuthValues

/// Texts with names in `${…}`.
enum CaseTemplate {
  /// A part of a text.
  enum Part: Hashable {
    case text(String)
    case name(String)
  }

  /// Splits a text at its names; an unfinished `${` is a text.
  static func parts(of text: String) -> [Part] {
    var parts: [Part] = []
    var rest = text[...]
    while let start = rest.firstRange(of: "${") {
      let name = rest[start.upperBound...].prefix {
        $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")
      }
      let end = name.endIndex
      guard !name.isEmpty, end < rest.endIndex, rest[end] == "}" else {
        parts.append(.text(String(rest[..<start.upperBound])))
        rest = rest[start.upperBound...]
        continue
      }
      if start.lowerBound > rest.startIndex {
        parts.append(.text(String(rest[..<start.lowerBound])))
      }
      parts.append(.name(String(name)))
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    return parts
  }

  /// Throws `invalid-argument` for a name that neither the runner gives nor an earlier step keeps.
  static func check(
    _ value: JSONValue, names: Set<String>, _ place: CasePlace
  ) throws(AuthError) {
    for name in self.names(in: value).sorted() where !names.contains(name) {
      throw unknown(name, among: names, place)
    }
  }

  static func unknown(_ name: String, among names: Set<String>, _ place: CasePlace) -> AuthError {
    place.fault(
      "Nothing is called ${\(name)}.", field: name, remedy: suggestion(for: name, among: names))
  }

  /// Returns the names in a value and its keys.
  static func names(in value: JSONValue) -> Set<String> {
    switch value {
    case .string(let text): names(in: text)
    case .array(let list): list.reduce(into: []) { $0.formUnion(names(in: $1)) }
    case .object(let members):
      members.reduce(into: []) { $0.formUnion(names(in: $1.key).union(names(in: $1.value))) }
    case .null, .bool, .integer, .number: []
    }
  }

  /// Returns the names in a text.
  static func names(in text: String) -> Set<String> {
    parts(of: text).reduce(into: []) { if case .name(let name) = $1 { $0.insert(name) } }
  }
}
