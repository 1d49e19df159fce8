import AuthCore
import LuaPlugins
import LuaRuntime
import TerminalOutput

/// Prints results for people: blocks, tables, or Lua's own notation.
struct ValueText {
  let state: LuaState
  let session: ConsoleSession

  private var profile: TerminalProfile { session.output.profile }

  func painted(_ value: LuaValue) -> PaintedText {
    switch value {
    case .object(let object):
      if let handle = object.value as? AccountHandle {
        return handle.current(session).block(of: handle.id).painted(for: profile)
      }
      if let event = object.value as? AuditEvent { return event.block.painted(for: profile) }
      return session.output.drawing(of: object.value)?.painted(for: profile) ?? described(value)
    case .string(let text): return PaintedText(text)
    case .reference(let reference) where reference.typeName == "table":
      guard let copy = try? state.value(of: reference), let table = copy.tableValue,
        let text = tableText(table)
      else { return described(value) }
      return text
    case .table(let table): return tableText(table) ?? described(value)
    default: return described(value)
    }
  }

  private func described(_ value: LuaValue) -> PaintedText { PaintedText(state.describe(value)) }

  /// Returns a list of accounts, events or records as a table; nil if another form is better.
  private func tableText(_ table: LuaTable) -> PaintedText? {
    guard table.fields.isEmpty else { return recordText(table) }
    guard !table.array.isEmpty else { return "{} (empty)" }
    let accounts = table.array.compactMap { $0.objectValue?.value as? AccountHandle }
      .map { (id: $0.id, standing: $0.current(session)) }
    if accounts.count == table.array.count {
      return Account.table(accounts).painted(for: profile) + count(accounts.count, "account")
    }
    let events = table.array.compactMap { $0.objectValue?.value as? AuditEvent }
    if events.count == table.array.count {
      return AuditEvent.table(events).painted(for: profile)
    }
    let providers = table.array.compactMap { $0.objectValue?.value as? ProviderID }
    if providers.count == table.array.count,
      let table = try? ProviderTable(providers, session)
    {
      return table.painted(for: profile)
    }
    if table.array.allSatisfy({ $0.objectValue != nil }) {
      return table.array.map(described).joined(separator: "\n")
    }
    let records = table.array.compactMap(\.tableValue)
    guard records.count == table.array.count, records.allSatisfy({ $0.array.isEmpty }) else {
      return nil
    }
    return recordsText(records)
  }

  /// Returns plain fields as a block, and lists and tables under a heading each.
  private func recordText(_ table: LuaTable) -> PaintedText? {
    guard table.array.isEmpty else { return nil }
    let names = table.fields.keys.sorted()
    let nested = names.filter { isNested(table[$0]) }
    let plain = names.filter { !nested.contains($0) }
    var parts: [PaintedText] = []
    if !plain.isEmpty {
      parts.append(KeyValueBlock(plain.map { ($0, Cell(cell(table[$0]))) }).painted(for: profile))
    }
    parts += nested.map { name in
      PaintedText(line: name, style: .heading) + "\n" + painted(table[name])
    }
    return parts.joined(separator: "\n\n")
  }

  private func isNested(_ value: LuaValue) -> Bool {
    if let object = value.objectValue { return session.output.drawing(of: object.value) != nil }
    guard let table = value.tableValue else { return false }
    return !table.fields.isEmpty
      || table.array.contains { $0.tableValue != nil || $0.objectValue != nil }
  }

  private func recordsText(_ records: [LuaTable]) -> PaintedText {
    let present = Set(records.flatMap(\.fields.keys))
    let known = Self.preferredOrder.filter(present.contains)
    let names = known + present.subtracting(known).sorted()
    var table = TextTable(
      columns: names.map { TextTable.Column($0, keepsWhole: Self.wholeColumns.contains($0)) },
      overflow: .wrap)
    for record in records { table.append(names.map { Cell(cell(record[$0])) }) }
    return table.painted(for: profile)
  }

  /// The columns that are useless if cut.
  private static let wholeColumns: Set<String> = [
    "id", "uid", "key", "providerID", "survivor", "absorbed", "at", "passed",
  ]

  /// The columns that are shown first.
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

  private func count(_ number: Int, _ noun: String) -> PaintedText {
    number == 1 ? "" : "\n\(number) \(noun)s"
  }
}

extension Timestamp {
  /// The time without fractions and zone; it is always UTC.
  fileprivate var secondsText: String {
    String(text.prefix(19)).replacing("T", with: " ")
  }
}

extension AuditEvent {
  /// The event as a block of its fields.
  fileprivate var block: KeyValueBlock {
    let outcome = Cell(outcome, style: errorCode == nil ? .good : .bad)
    var entries: [(key: String, value: Cell)] = [
      ("id", Cell(id, style: .accent)), ("at", Cell(at.text)),
      ("action", Cell(action.rawValue)), ("account", Cell(accountID?.rawValue ?? "")),
      ("actor", Cell(actor)), ("reason", Cell(reason ?? "")), ("outcome", outcome),
      ("request", Cell(requestID ?? "")),
      ("related", Cell(relatedIDs.map(\.rawValue).joined(separator: ", "))),
    ]
    if case .object(let members) = details, !members.isEmpty {
      entries.append(("details", Cell(details.text)))
    }
    return KeyValueBlock(entries.filter { !$0.value.text.isEmpty })
  }

  fileprivate static func table(_ events: [AuditEvent]) -> TextTable {
    let haveRequests = events.contains { $0.requestID != nil }
    var table = TextTable(
      columns: [
        TextTable.Column("id", keepsWhole: true), TextTable.Column("at", keepsWhole: true),
        "action", "what", "account", "actor", "reason", "outcome",
      ] + (haveRequests ? ["request"] : []))
    for event in events {
      let request = haveRequests ? [Cell(event.requestID ?? "")] : []
      table.append(
        [
          Cell(event.id, style: .accent), Cell(event.at.secondsText), Cell(event.action.rawValue),
          Cell(event.what ?? ""), Cell(event.accountID?.rawValue ?? ""), Cell(event.actor),
          Cell(event.reason ?? ""),
          Cell(event.outcome, style: event.errorCode == nil ? .good : .bad),
        ] + request)
    }
    return table
  }
}
