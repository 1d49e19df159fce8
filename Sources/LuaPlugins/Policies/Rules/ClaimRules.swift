package import AuthCore
package import LuaRuntime

/// The rules of `customClaims` by the name of a claim.
package struct ClaimRules: Sendable {
  private enum Rule: Sendable {
    case keep, theirs, newest, oldest, union, unionOrRefuse, highest, lowest
    /// The value that comes later in a list.
    case later([JSONValue])
    case function(LuaFunction)
  }

  private static let named: [String: Rule] = [
    "keep": .keep, "theirs": .theirs, "newest": .newest, "oldest": .oldest, "union": .union,
    "union-or-refuse": .unionOrRefuse, "highest": .highest, "lowest": .lowest,
  ]

  /// The table as a file wrote it.
  let table: LuaTable
  private var rules: [String: Rule] = [:]
  private var others = Rule.unionOrRefuse

  /// Reads the rules; `default` is that of all other claims, and is `union-or-refuse` if it is missing.
  ///
  /// Throws `invalid-argument` for an unknown rule.
  package init(_ table: LuaTable) throws(AuthError) {
    self.table = table
    guard table.array.isEmpty else { throw Self.wrong("customClaims", "a list") }
    for (name, value) in table.fields {
      let rule = try Self.rule(name, value)
      if name == "default" { others = rule } else { rules[name] = rule }
    }
  }

  private static func rule(_ name: String, _ value: LuaValue) throws(AuthError) -> Rule {
    if let function = value.functionValue { return .function(function) }
    if let text = value.stringValue {
      guard let rule = named[text] else { throw wrong(name, "\"\(text)\"") }
      return rule
    }
    guard case .array(let values)? = JSONValue(value), !values.isEmpty else {
      throw wrong(name, value.typeName)
    }
    return .later(values)
  }

  private static func wrong(_ name: String, _ given: String) -> AuthError {
    AuthError(
      .invalidArgument, "The rule of the claim \(name) is \(given).", field: "customClaims.\(name)",
      remedy: """
        Use \(named.keys.sorted().joined(separator: ", ")), a list of values from the lowest to the highest, or a \
        function of both values and both accounts.
        """)
  }

  /// Decides every claim of two accounts.
  ///
  /// `call` calls a function of the script with the two values. Throws a ``MergeRefusal`` if a rule refuses.
  package func claims(
    _ kept: Account, _ other: Account,
    calling call: (LuaFunction, JSONValue, JSONValue) throws -> JSONValue
  ) throws -> JSONValue {
    let (a, b) = (kept.customClaims?.members ?? [:], other.customClaims?.members ?? [:])
    let keptIsOlder = (kept.createdAt, kept.id) <= (other.createdAt, other.id)
    var result: [String: JSONValue] = [:]
    for name in Set(a.keys).union(b.keys).sorted() {
      let rule = rules[name] ?? others
      let (first, second) = (a[name] ?? .null, b[name] ?? .null)
      if case .function(let function) = rule {
        result[name] = try call(function, first, second)
      } else if first == .null || second == .null || first == second {
        result[name] = first == .null ? second : first
      } else {
        result[name] = try Self.choose(first, second, by: rule, of: name, keptIsOlder: keptIsOlder)
      }
    }
    result = result.filter { $0.value != .null }
    return result.isEmpty ? .null : .object(result)
  }

  /// Decides every claim for an admin's plan; throws `merge-refused` with the reason if a rule refuses.
  package func decided(
    _ kept: Account, _ other: Account,
    calling call: (LuaFunction, [LuaValue]) throws -> [LuaValue]
  ) throws -> JSONValue {
    do {
      return try claims(kept, other) { function, a, b in
        let values = [a.luaWithoutEmpty, b.luaWithoutEmpty, .table(kept.lua), .table(other.lua)]
        guard let value = JSONValue(try call(function, values).first ?? .nil) else {
          throw MergeRefusal("the function for a claim returned no plain value")
        }
        return value
      }
    } catch let refusal as MergeRefusal {
      throw AuthError(
        .mergeRefused, "The rules of customClaims refuse: \(refusal.reason).",
        field: "customClaims", remedy: "Choose a rule for the claim.", step: .policy)
    }
  }

  private static func choose(
    _ kept: JSONValue, _ other: JSONValue, by rule: Rule, of name: String, keptIsOlder: Bool
  ) throws -> JSONValue {
    switch rule {
    case .keep, .function: return kept
    case .theirs: return other
    case .newest: return keptIsOlder ? other : kept
    case .oldest: return keptIsOlder ? kept : other
    case .union: return kept.united(with: other)
    case .unionOrRefuse:
      guard kept.isUnited(with: other) else { throw MergeRefusal.claimsDiffer([name]) }
      return kept.united(with: other)
    case .highest, .lowest:
      guard let a = kept.number, let b = other.number else {
        throw MergeRefusal(
          "the claim \(name) is not a number in both accounts", code: "claims-differ")
      }
      if case .highest = rule { return a >= b ? kept : other }
      return a <= b ? kept : other
    case .later(let values):
      guard let a = values.firstIndex(of: kept), let b = values.firstIndex(of: other) else {
        throw MergeRefusal(
          "the claim \(name) has a value that the policy does not know", code: "claims-differ")
      }
      return a >= b ? kept : other
    }
  }
}

extension JSONValue {
  fileprivate var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
}
