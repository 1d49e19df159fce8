import LuaRuntime

/// The words of an importer's file: `importer` and `refuse`.
enum ImporterLibrary {
  static func install(
    in state: LuaState, _ environment: LuaReference,
    declare: @escaping (LuaReference, LuaCall) throws -> Void
  ) throws(LuaError) {
    try state.set(
      "importer",
      to: .function(
        state.function(named: "importer") { call in
          let table = try call.reference(1, "declaration")
          try declare(table, call)
          return [.reference(table)]
        }), in: environment)
    try state.set(
      "refuse",
      to: .function(
        state.function(named: "refuse") { call in
          [["answer": "refuse", "reason": .string(try call.string(1, "why"))]]
        }), in: environment)
  }

  /// The reason of a refusal; nil for any other value.
  static func refusal(_ value: LuaValue) -> String? {
    guard let table = value.tableValue, table["answer"].stringValue == "refuse" else { return nil }
    return table["reason"].stringValue
  }
}
