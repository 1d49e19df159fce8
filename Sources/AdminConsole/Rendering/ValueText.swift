import AuthCore
import LuaPlugins
import LuaRuntime

/// Prints results for people: blocks, tables, or Lua's own notation.
struct ValueText {
  let state: LuaState
  let profile: TerminalProfile

  func render(_ value: LuaValue) -> String {
    switch value {
    case .object(let object):
      if let handle = object.value as? AccountHandle {
        return handle.lastSeen.block.render(for: profile)
      }
      return state.describe(value)
    case .string(let text): return VisibleText.neutralised(text, keepingNewlines: true)
    case .reference(let reference) where reference.typeName == "table":
      guard let copy = try? state.value(of: reference), let table = copy.tableValue,
        let text = tableText(table)
      else { return state.describe(value) }
      return text
    case .table(let table): return tableText(table) ?? state.describe(value)
    default: return state.describe(value)
    }
  }

  /// A list of accounts, events or records as a table; nil where something else suits better.
  private func tableText(_ table: LuaTable) -> String? {
    guard table.fields.isEmpty else { return recordText(table) }
    guard !table.array.isEmpty else { return "{} (empty)" }
    let accounts = table.array.compactMap { ($0.objectValue?.value as? AccountHandle)?.lastSeen }
    if accounts.count == table.array.count {
      return Account.table(accounts).render(for: profile) + count(accounts.count, "account")
    }
    let events = table.array.compactMap { $0.objectValue?.value as? AuditEvent }
    if events.count == table.array.count {
      return AuditEvent.table(events).render(for: profile)
    }
    let records = table.array.compactMap(\.tableValue)
    guard records.count == table.array.count, records.allSatisfy({ $0.array.isEmpty }) else {
      return nil
    }
    return recordsText(records)
  }

  private func recordText(_ table: LuaTable) -> String? {
    guard table.array.isEmpty else { return nil }
    let isLong = table.fields.values.contains { value in
      value.objectValue.map { $0.type != "account" && $0.type != "receipt" } ?? false
    }
    let fields = table.fields.keys.sorted().filter { !isLong || $0 != "trace" }
    return KeyValueBlock(fields.map { ($0, Cell(cell(table[$0]))) }).render(for: profile)
  }

  private func recordsText(_ records: [LuaTable]) -> String {
    let present = Set(records.flatMap(\.fields.keys))
    let known = Self.preferredOrder.filter(present.contains)
    let names = known + present.subtracting(known).sorted()
    var table = TextTable(
      columns: names.map { TextTable.Column($0, keepsWhole: $0 == "uid" || $0 == "id") },
      overflow: .wrap)
    for record in records { table.append(names.map { Cell(cell(record[$0])) }) }
    return table.render(for: profile)
  }

  /// Columns that people look for first.
  private static let preferredOrder = [
    "key", "name", "id", "providerID", "uid", "email", "displayName", "at", "action", "survivor",
    "absorbed", "passed",
  ]

  private func cell(_ value: LuaValue) -> String {
    switch value {
    case .nil: return ""
    case .string(let text): return text
    case .bool(let flag): return flag ? "true" : "false"
    case .object(let object):
      return (object.value as? AccountHandle)?.id.rawValue ?? state.describe(value)
    case .table(let table) where table.fields.isEmpty:
      return table.array.map(cell).joined(separator: ", ")
    default: return JSONValue(value)?.text ?? state.describe(value)
    }
  }

  private func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "" : "\n\(number) \(noun)s"
  }
}

extension AuditEvent {
  fileprivate static func table(_ events: [AuditEvent]) -> TextTable {
    var table = TextTable(columns: [
      TextTable.Column("id", keepsWhole: true), "at", "action", "account", "actor", "reason",
      "outcome",
    ])
    for event in events {
      table.append([
        Cell(event.id, style: .accent), Cell(event.at.text), Cell(event.action.rawValue),
        Cell(event.accountID?.rawValue ?? ""), Cell(event.actor), Cell(event.reason ?? ""),
        event.errorCode.map { Cell($0, style: .bad) } ?? Cell("done", style: .good),
      ])
    }
    return table
  }
}
