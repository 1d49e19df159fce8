import AuthValues

/// An expectation of one value.
enum Matcher: Sendable {
  /// Exactly this value, after its names are filled in.
  case value(JSONValue)
  /// An object with these members, among others.
  case members([String: Matcher])
  /// A list of exactly these entries.
  case entries([Matcher])
  /// All of these checks, in an order in which kept names are known early.
  case checks([Check])

  /// A word that begins with `$`.
  enum Check: Sendable {
    case absent
    case keep(String)
    case type(JSONKind)
    /// A regular expression, and the names of its groups.
    case pattern(String, [String])
    case contains(Matcher)
    case count(Int)
    case claims(Matcher)
    case tokenHeader(Matcher)
    case json(Matcher)
    case not(Matcher)
    case parameter(of: String, keep: String?, is: Matcher?)
    /// A time that is at most this number of seconds away.
    case now(Int)
  }

  /// The names that a match keeps for later steps.
  var keptNames: Set<String> {
    switch self {
    case .value: []
    case .members(let members): members.values.reduce(into: []) { $0.formUnion($1.keptNames) }
    case .entries(let entries): entries.reduce(into: []) { $0.formUnion($1.keptNames) }
    case .checks(let checks): checks.reduce(into: []) { $0.formUnion($1.keptNames) }
    }
  }
}

extension Matcher {
  /// The names that have to be known before the match, because the matcher does not keep them itself.
  var freeNames: Set<String> {
    let used: Set<String> =
      switch self {
      case .value(let value): CaseTemplate.names(in: value)
      case .members(let members):
        members.reduce(into: []) {
          $0.formUnion(CaseTemplate.names(in: $1.key).union($1.value.freeNames))
        }
      case .entries(let entries): entries.reduce(into: []) { $0.formUnion($1.freeNames) }
      case .checks(let checks): checks.reduce(into: []) { $0.formUnion($1.usedNames) }
      }
    return used.subtracting(keptNames)
  }
}

extension Matcher.Check {
  fileprivate var usedNames: Set<String> {
    switch self {
    case .pattern(let text, _): CaseTemplate.names(in: text)
    case .contains(let inner), .claims(let inner), .tokenHeader(let inner), .json(let inner),
      .not(let inner):
      inner.freeNames
    case .parameter(_, _, let inner): inner?.freeNames ?? []
    case .absent, .keep, .type, .count, .now: []
    }
  }

  fileprivate var keptNames: Set<String> {
    switch self {
    case .keep(let name): [name]
    case .pattern(_, let names): Set(names)
    case .contains(let inner), .claims(let inner), .tokenHeader(let inner), .json(let inner):
      inner.keptNames
    case .parameter(_, let keep, let inner):
      Set([keep].compactMap(\.self)).union(inner?.keptNames ?? [])
    case .absent, .type, .count, .not, .now: []
    }
  }
}

/// The kinds of JSON values, by the names that JSON Schema has for them.
enum JSONKind: String, Sendable, CaseIterable {
  case null, boolean, number, string, array, object

  init(of value: JSONValue) {
    self =
      switch value {
      case .null: .null
      case .bool: .boolean
      case .integer, .number: .number
      case .string: .string
      case .array: .array
      case .object: .object
      }
  }
}
