import AuthCore
import LuaRuntime
import TerminalOutput

/// The function `show`: a result as the console prints it, as CSV or as JSON, also into a file.
struct ShowLibrary {
  let session: ConsoleSession

  /// A result that waits to be written.
  struct Shown: Sendable {
    let value: LuaValue
  }

  /// The result itself, if a value is one that waits to be written.
  static func unwrapped(_ value: LuaValue) -> LuaValue {
    (value.objectValue?.value as? Shown)?.value ?? value
  }

  func install(in state: LuaState) throws {
    var type = LuaObjectType(name: "shown")
    type.describesInLines = true
    // The state owns the type, and must not be kept by it.
    type.describe = { [weak state] object in
      guard let state, let shown = object.value as? Shown else { return "shown" }
      let profile = session.output.printingProfile.withoutColor
      return ValueText(state: state, session: session).painted(shown.value).text(for: profile)
    }
    type.method("csv") { call in
      try write(call, ["overwrite", "exact"]) { value, options in
        let isExact = try options.flag("exact") ?? false
        return try RecordRows(state: call.state, session: session).csv(
          value, guarding: isExact ? .nothing : .formulas)
      }
    }
    type.method("json") { call in
      try write(call, ["overwrite"]) { value, _ in
        let bytes = try call.state.json(value, named: "result", emptyTables: .lists)
        return String(decoding: bytes, as: UTF8.self) + "\n"
      }
    }
    state.define(type)
    let show = state.function(named: "show") { call in
      guard call.count == 1 else {
        throw call.argumentError(1, "a value: show(accounts.find())", name: "value")
      }
      let value = try call.value(1, .references)
      return [.object(LuaObject(type: "shown", value: Shown(value: value)))]
    }
    try state.set("show", to: .function(show))
  }

  /// Writes the text to the file that the call names, or returns it.
  private func write(
    _ call: LuaCall, _ names: [String], _ text: (LuaValue, LuaTable) throws -> String
  ) throws -> [LuaValue] {
    let shown = try call.object(1, as: Shown.self, type: "shown")
    let isText = call.typeName(2) == "table"
    let path = isText ? nil : try call.optionalString(2, "file")
    let options = try call.optionalTable(isText ? 2 : 3, "options") ?? LuaTable()
    try options.refuseUnknown(names)
    let overwrite = try options.flag("overwrite") ?? false
    let text = try text(shown.value, options)
    guard let path else { return [.string(text)] }
    try session.host.write(Array(text.utf8), to: path, overwrite: overwrite)
    return []
  }
}
