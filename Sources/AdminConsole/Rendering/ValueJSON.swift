import AuthCore
import LuaPlugins
import LuaRuntime

/// Prints results for programs: one line of JSON each.
struct ValueJSON {
  let state: LuaState
  let session: ConsoleSession

  func render(_ value: LuaValue) -> String { json(value, depth: 0).text }

  private static let deepest = 32

  private func json(_ value: LuaValue, depth: Int) -> JSONValue {
    guard depth < Self.deepest else { return .string("…") }
    switch value {
    case .object(let object) where object.type == LuaSecret.typeName:
      return .string(LuaSecret.mask)
    case .object(let object): return json(.table(data(object)), depth: depth + 1)
    case .reference(let reference) where reference.typeName == "table":
      guard let copy = try? state.value(of: reference), copy.tableValue != nil else {
        return .string(state.describe(value))
      }
      return json(copy, depth: depth + 1)
    case .table(let table) where table.array.isEmpty && !table.fields.isEmpty:
      return .object(table.fields.mapValues { json($0, depth: depth + 1) })
    case .table(let table) where table.fields.isEmpty:
      return .array(table.array.map { json($0, depth: depth + 1) })
    case .table(let table):
      var members = table.fields.mapValues { json($0, depth: depth + 1) }
      for (index, element) in table.array.enumerated() {
        members["\(index + 1)"] = json(element, depth: depth + 1)
      }
      return .object(members)
    default: return JSONValue(value) ?? .string(state.describe(value))
    }
  }

  /// What a host object holds.
  private func data(_ object: LuaObject) -> LuaTable {
    switch object.value {
    case let handle as AccountHandle: handle.current(session).lua(of: handle.id)
    case let receipt as Receipt: receipt.lua
    case let event as AuditEvent: event.lua
    case let trace as TraceView: trace.lua
    case let plan as MergePlan: plan.lua
    case let view as GraphView:
      LuaTable(fields: [
        "account": .table(view.account.lua), "aliases": .strings(view.aliases.map(\.id.rawValue)),
      ])
    case let view as MultiFactorView:
      view.lua(session)
    case let view as ResolverView: view.lua
    case let view as EnrollmentView:
      LuaTable(fields: [
        "factorID": .string(view.kind), "expiresAt": .string(view.enrollment.expiresAt.text),
      ])
    case let provider as ProviderID: LuaTable(fields: ["id": .string(provider.rawValue)])
    case let credential as AuthCredential:
      LuaTable(fields: ["providerID": .string(credential.provider.rawValue)])
    default: LuaTable(fields: ["type": .string(object.type)])
    }
  }
}
