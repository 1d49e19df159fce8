import AuthCore
import LuaPlugins
import LuaRuntime

/// The functions `begin()`, `rehearsal()`, `commit()` and `nevermind()`: changes that are tried one by one and written
/// together.
struct RehearsalLibrary {
  let session: ConsoleSession

  static let typeName = "rehearsal"

  func install(in state: LuaState) throws {
    var type = LuaObjectType(name: Self.typeName, fields: ["changes"])
    type.get = { _, object, field in
      guard let view = object.value as? RehearsalView, field == "changes" else { return nil }
      return .values([view.lua["changes"]])
    }
    type.length = { ($0.value as? RehearsalView)?.entries.count ?? 0 }
    type.describesInLines = true
    type.describe = { session.output.drawn($0.value) ?? Self.typeName }
    type.refusesSet = "a rehearsal is not edited; nevermind() forgets it"
    state.define(type)
    let functions = [
      ("begin", begin), ("rehearsal", rehearsal), ("commit", commit), ("nevermind", nevermind),
    ]
    for (name, body) in functions {
      try state.set(name, to: .function(state.function(named: name, body)))
    }
  }

  private func begin(_ call: LuaCall) throws -> [LuaValue] {
    try refuseArguments(call)
    try session.begin()
    return []
  }

  private func rehearsal(_ call: LuaCall) throws -> [LuaValue] {
    try refuseArguments(call)
    let view = RehearsalView(entries: try session.openRehearsal().entries)
    return [.object(LuaObject(type: Self.typeName, value: view))]
  }

  private func commit(_ call: LuaCall) throws -> [LuaValue] {
    let table = try call.optionalTable(1, "options") ?? LuaTable()
    try table.refuseUnknown(["reason"])
    let reason = try table.text("reason")
    let rehearsal = try session.openRehearsal()
    let usual = session.defaultReason
    // A change with a reason of its own keeps it.
    let entries = try session.wait { _, _ in
      try await rehearsal.commit(reason: reason) { $0 == usual }
    }
    session.endRehearsal()
    let receipts = entries.map { LuaValue.object(LuaObject(type: "receipt", value: $0.receipt)) }
    return [.table(LuaTable(array: receipts))]
  }

  private func nevermind(_ call: LuaCall) throws -> [LuaValue] {
    try refuseArguments(call)
    _ = try session.openRehearsal()
    session.endRehearsal()
    return []
  }

  private func refuseArguments(_ call: LuaCall) throws {
    guard call.count == 0 else { throw call.argumentError(1, "nothing") }
  }
}

/// The changes of a rehearsal as a script sees them.
struct RehearsalView: Sendable {
  let entries: [Rehearsal.Entry]

  var lua: LuaTable {
    LuaTable(fields: ["changes": .table(LuaTable(array: entries.map { .table($0.lua) }))])
  }
}

extension Rehearsal.Entry {
  fileprivate var lua: LuaTable {
    var table = receipt.lua
    table["what"] = .optional(event.what)
    table["details"] = event.details.lua
    table["reason"] = .optional(event.reason)
    return table
  }
}
