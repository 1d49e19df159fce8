import AuthCore
import LuaPlugins
import LuaRuntime

/// The methods of an account that list the ways into it, and end some of them in one change.
struct WaysInLibrary {
  let session: ConsoleSession

  func install(in type: inout LuaObjectType) {
    type.method("waysIn", list)
    type.change("endWaysIn", end)
  }

  private func list(_ call: LuaCall) throws -> [LuaValue] {
    let account = try call.object(1, as: AccountHandle.self, type: "account").account(session)
    let ways = try session.wait { graph, scope in
      try await graph.waysIn(of: account.id, in: scope)
    }
    return [.table(LuaTable(array: ways.map { .table($0.lua) }))]
  }

  private func end(_ call: LuaCall) throws -> [LuaValue] {
    let held = try call.object(1, as: AccountHandle.self, type: "account").held
    let names = try names(call)
    let options = try WriteOptions(call, 3, allowing: WriteOptions.namesWithForce)
    let receipt = try session.change(options, holding: [held]) { graph, caller in
      try await graph.endWaysIn(names, of: held.id, force: options.force, by: caller).receipt
    }
    return [.object(LuaObject(type: "receipt", value: receipt))]
  }

  /// Reads the ways to end: texts, or entries of the list.
  private func names(_ call: LuaCall) throws -> [String] {
    let table = try call.table(2, "ways")
    guard table.fields.isEmpty else {
      let field = table.fields.keys.sorted()[0]
      throw AuthError(
        .invalidArgument, "The ways to end are a list, without names.", field: field,
        remedy: "Write endWaysIn({ \"google.com\", \"sessions\" }, { \(field) = … }).")
    }
    return try table.array.map { value in
      if let name = value.stringValue ?? value.tableValue?["id"].stringValue { return name }
      throw AuthError(
        .invalidArgument,
        "A way in is a text or an entry of account:waysIn(), not a \(value.typeName).",
        field: "waysIn", remedy: "Write endWaysIn { \"google.com\", \"sessions\" }.")
    }
  }
}

extension WayIn {
  /// The way in as data.
  var lua: LuaTable {
    LuaTable(fields: [
      "id": .string(id), "kind": .string(kind.rawValue),
      "provider": .optional(provider?.rawValue), "label": .optional(label),
      "linkedAt": .optional(linkedAt?.text), "lastUsedAt": .optional(lastUsedAt?.text),
      "origin": .optional(origin?.rawValue), "obstacle": .optional(obstacle),
      "endable": .bool(isEndable),
    ])
  }
}
