import AuthCore
import LuaRuntime

extension ChangeAnswer {
  /// Reads all results of a hook.
  ///
  /// A refusal or a requirement anywhere in them is the answer; a refusal comes first. Throws ``HookMistake`` for
  /// everything that is no answer, so that a mistake never allows.
  init(_ results: [LuaValue], to kind: ChangeEvent.Kind, of file: String) throws {
    for result in results {
      if let refusal = try MergeRefusal(within: result, of: file) {
        self = .refuse(refusal)
        return
      }
    }
    for result in results {
      if let requirement = Requirement(within: result) {
        self = .require(requirement)
        return
      }
    }
    guard results.dropFirst().allSatisfy(\.isNil) else {
      throw HookMistake(description: "\(kind.function) returned more than one answer")
    }
    switch results.first ?? .nil {
    case .nil, .bool(true): self = .allow(fill: nil)
    case .table(let table): self = try Self.word(table, kind)
    case let other:
      throw HookMistake(
        description: "\(kind.function) returned \(other.typeName), not \(Self.words(of: kind))")
    }
  }

  private static func word(_ table: LuaTable, _ kind: ChangeEvent.Kind) throws -> ChangeAnswer {
    switch (table["answer"].stringValue, kind) {
    case ("allow", .beforeLink):
      guard let names = table["fill"].tableValue?.array else { return .allow(fill: nil) }
      return .allow(fill: Set(names.compactMap { $0.stringValue.flatMap(FilledField.init) }))
    case ("allow", _):
      guard table["fill"].isNil else {
        throw HookMistake(description: "fill is an answer of before_link alone")
      }
      return .allow(fill: nil)
    case ("ask", .onConflict): return .ask
    case ("merge", .onConflict): return .merge
    case (let word?, _):
      throw HookMistake(
        description: "\(kind.function) cannot answer \(word), but \(words(of: kind))")
    case (nil, _):
      throw HookMistake(
        description: "\(kind.function) returned a table that is not \(words(of: kind))")
    }
  }

  private static func words(of kind: ChangeEvent.Kind) -> String {
    let common = "allow(), refuse \"why\" or require \"…\""
    return kind == .onConflict ? "ask(), merge(), \(common)" : common
  }
}

extension Requirement {
  /// Finds a requirement in a value at any depth; nil if there is none.
  fileprivate init?(within value: LuaValue) {
    guard let table = value.tableValue else { return nil }
    if table["answer"].stringValue == "require",
      let named = Requirement(
        named: table["requirement"].stringValue ?? "", seconds: table["seconds"].integerValue)
    {
      self = named
      return
    }
    for part in table.array + table.fields.keys.sorted().map({ table[$0] }) {
      guard let found = Requirement(within: part) else { continue }
      self = found
      return
    }
    return nil
  }
}
