import AuthCore
import Foundation
import LuaRuntime

/// The options of every function that writes: the reason, and whether to write at all.
struct WriteOptions {
  var reason: String?
  var dryRun = false
  var force = false
  /// Allows accounts of a deleted person to be restored.
  var revive = false
  /// The fields whose later values an undo keeps.
  var keep: Set<KeptField> = []
  /// Deletes an account so that it cannot be restored.
  var forever = false

  static let names = ["reason", "dryRun"]
  static let namesWithForce = names + ["force"]
  static let namesOfUndo = namesWithForce + ["keep"]
  static let namesOfDeletion = names + ["forever"]

  /// Reads the options of argument `index`, which may be absent; throws if one is unknown.
  ///
  /// Unknown names are refused, because a misspelled `dryRun` would write.
  init(_ call: LuaCall, _ index: Int, allowing names: [String] = names) throws {
    try self.init(try call.options(index), allowing: names)
  }

  init(_ table: LuaTable, allowing names: [String]) throws {
    try table.refuseUnknown(names)
    reason = try table.text("reason")
    dryRun = try table.flag("dryRun") ?? false
    if names.contains("force") { force = try table.flag("force") ?? false }
    if names.contains("revive") { revive = try table.flag("revive") ?? false }
    if names.contains("keep") { keep = try Self.keptFields(table) }
    if names.contains("forever") { forever = try table.flag("forever") ?? false }
  }
}

extension WriteOptions {
  private static func keptFields(_ table: LuaTable) throws -> Set<KeptField> {
    var fields: Set<KeptField> = []
    for value in try table.list("keep") {
      guard let name = value.stringValue else {
        throw table.wrongType("keep", "a list of names", value)
      }
      fields.insert(try KeptField(named: name))
    }
    return fields
  }
}

extension LuaCall {
  /// Returns the options of argument `index`, empty if it is absent; throws `invalid-argument` if they are no table.
  func options(_ index: Int) throws -> LuaTable {
    if typeName(index) == "string" {
      throw AuthError(
        .invalidArgument, "The options of \(name) are a table, not a text.", field: "options",
        remedy: "Write { reason = \"…\" }.")
    }
    return try optionalTable(index, "options") ?? LuaTable()
  }

  /// Returns the options of argument `index` that are a function's own, in a table, and those of every write; throws if
  /// one is neither.
  func options(
    _ index: Int, own: [String], allowing names: [String]
  ) throws -> (LuaTable, WriteOptions) {
    let table = try options(index)
    try table.refuseUnknown(names + own)
    let rest = LuaTable(fields: table.fields.filter { !own.contains($0.key) })
    return (table, try WriteOptions(rest, allowing: names))
  }
}

extension LuaTable {
  /// Throws `invalid-argument` for an unknown field, with the nearest known one.
  func refuseUnknown(_ names: [String]) throws(AuthError) {
    guard array.isEmpty else {
      throw AuthError(
        .invalidArgument, "The table holds a value without a name.",
        remedy: "Write names: { \(names.first ?? "name") = … }.")
    }
    guard let unknown = fields.keys.sorted().first(where: { !names.contains($0) }) else { return }
    throw AuthError(
      .invalidArgument, "There is no \"\(unknown)\" here.", field: unknown,
      remedy: suggestion(for: unknown, among: names))
  }

  func text(_ name: String) throws(AuthError) -> String? {
    switch self[name] {
    case .nil: return nil
    case .string(let text): return text
    case let other: throw wrongType(name, "a text", other)
    }
  }

  /// Returns a table with names only, empty if it is absent.
  func names(_ name: String) throws(AuthError) -> LuaTable {
    if self[name].isNil { return LuaTable() }
    guard let table = self[name].tableValue, table.array.isEmpty else {
      throw wrongType(name, "a table of names", self[name])
    }
    return table
  }

  /// Returns a list, empty if it is absent.
  func list(_ name: String) throws(AuthError) -> [LuaValue] {
    if self[name].isNil { return [] }
    guard let table = self[name].tableValue, table.fields.isEmpty else {
      throw wrongType(name, "a list", self[name])
    }
    return table.array
  }

  func flag(_ name: String) throws(AuthError) -> Bool? {
    switch self[name] {
    case .nil: return nil
    case .bool(let flag): return flag
    case let other: throw wrongType(name, "true or false", other)
    }
  }

  func count(_ name: String) throws(AuthError) -> Int? {
    try number(name, in: 1...100_000_000)
  }

  func number(_ name: String, in range: ClosedRange<Int64>) throws(AuthError) -> Int? {
    let value = self[name]
    if value.isNil { return nil }
    if let number = value.integerValue, range.contains(number) { return Int(number) }
    let given: String
    switch value {
    case .integer(let number): given = "\(number)"
    case .number(let number): given = "\(number)"
    default: throw wrongType(name, "a whole number", value)
    }
    let last = range.upperBound.formatted(.number.locale(Locale(identifier: "en_US")))
    throw AuthError(
      .invalidArgument, "\(name) is \(given).", field: name,
      remedy: "Give a whole number from \(range.lowerBound) to \(last).")
  }

  func wrongType(_ name: String, _ expected: String, _ value: LuaValue) -> AuthError {
    let given = if case .bytes = value { "bytes that are not UTF-8" } else { "a \(value.typeName)" }
    return AuthError(
      .invalidArgument, "\(name) is \(expected), not \(given).", field: name,
      remedy: "Write \(name) = … with \(expected).")
  }
}
