import AuthCore
import LuaPlugins
import LuaRuntime

/// A session of a console, put together from its events in the audit.
struct SessionView {
  let id: String
  /// The parts in order.
  private let parts: [AuditEvent]
  /// The events of the session's writes, in order.
  private let writes: [AuditEvent]

  /// Takes the events of one session, newest first.
  init(id: String, events: [AuditEvent]) {
    self.id = id
    parts = events.reversed().filter { $0.action == .consoleSession }
    writes = events.reversed().filter { $0.action != .consoleSession }
  }

  /// Returns the sessions among events that are newest first, in the same order.
  static func all(in events: [AuditEvent]) -> [SessionView] {
    var ids: [String] = []
    let groups = Dictionary(grouping: events) { $0.requestID ?? "" }
    for event in events {
      if let id = event.requestID, !ids.contains(id) { ids.append(id) }
    }
    return ids.map { SessionView(id: $0, events: groups[$0] ?? []) }
  }

  private var inputs: [JSONValue] {
    parts.flatMap { part -> [JSONValue] in
      guard case .array(let inputs)? = part.details["inputs"] else { return [] }
      return inputs
    }
  }

  /// The session in a line of a list.
  var summary: LuaTable {
    let any = parts.last ?? writes.last
    return LuaTable(fields: [
      "id": .string(id), "actor": .optional(any?.actor), "reason": .optional(any?.reason),
      "begunAt": .optional(parts.first?.details["begunAt"]?.stringValue ?? writes.first?.at.text),
      "endedAt": .optional(parts.last.flatMap { $0.details["ended"] == true ? $0.at.text : nil }),
      "origin": .optional(parts.first?.details["origin"]?.stringValue),
      "inputs": .integer(Int64(inputs.count)),
    ])
  }

  /// The session with its inputs and the events of its writes.
  var lua: LuaTable {
    var table = summary
    table.fields["inputs"] = .table(LuaTable(array: inputs.map(\.lua)))
    table.fields["events"] = .table(LuaTable(array: writes.map(\.luaObject)))
    return table
  }
}
