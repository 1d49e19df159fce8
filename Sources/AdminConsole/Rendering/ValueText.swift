import AuthCore
import Foundation
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
        return handle.block(session).painted(for: profile)
      }
      if let event = object.value as? AuditEvent {
        return event.block(in: profile.zone).painted(for: profile)
      }
      if let test = object.value as? PolicyTestView {
        return painted(.table(test.list)) + "\n" + PaintedText(line: test.coverage.text)
      }
      if let receipt = object.value as? Receipt, !receipt.waysIn.isEmpty,
        !session.isRehearsed(receipt)
      {
        return ReceiptText(receipt: receipt).painted(for: profile)
      }
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
      return counted(Account.table(accounts), accounts.count, "account")
    }
    let events = table.array.compactMap { $0.objectValue?.value as? AuditEvent }
    if events.count == table.array.count {
      return counted(AuditEvent.table(events, in: profile.zone), events.count, "event")
    }
    let providers = table.array.compactMap { $0.objectValue?.value as? ProviderID }
    if providers.count == table.array.count,
      let found = try? ProviderTable(providers, session)
    {
      return counted(found.table, providers.count, "provider")
    }
    if table.array.allSatisfy({ $0.objectValue != nil }) {
      let kinds = Set(table.array.compactMap { $0.objectValue?.type })
      return table.array.map(described).joined(separator: "\n")
        + count(table.array.count, kinds.first.flatMap { kinds.count == 1 ? $0 : nil } ?? "row")
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
      parts.append(
        KeyValueBlock(plain.map { ($0, Cell(zonedTime(table[$0], $0) ?? cell(table[$0]))) })
          .painted(for: profile))
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
    let times = Set(names.filter { name in records.contains { time($0[name], name) != nil } })
    var table = TextTable(
      columns: names.map { name in
        if name == "email" { return .address(name) }
        return TextTable.Column(
          times.contains(name) ? "\(name) (\(profile.zone.shownName))" : name,
          keepsWhole: Self.wholeColumns.contains(name) || times.contains(name))
      }, overflow: .wrap)
    for record in records {
      table.append(names.map { Cell(time(record[$0], $0) ?? cell(record[$0])) })
    }
    return counted(table, records.count, "row")
  }

  /// The fields that hold a time, which is shown in the admin's zone.
  private static let times: Set<String> = [
    "at", "endedAt", "expiresAt", "windowEndsAt", "creationTime", "lastSignInTime", "enrolledAt",
    "until", "begunAt", "createdAt", "lastSignInAt", "keepCreated", "absorbCreated",
    "keepLastSignIn", "absorbLastSignIn",
  ]

  /// Returns the time of a field for a table whose header names the zone; nil if the field has none.
  private func time(_ value: LuaValue, _ name: String) -> String? {
    timestamp(value, name)?.text(in: profile.zone)
  }

  private func zonedTime(_ value: LuaValue, _ name: String) -> String? {
    timestamp(value, name)?.textWithZone(profile.zone)
  }

  private func timestamp(_ value: LuaValue, _ name: String) -> Timestamp? {
    guard Self.times.contains(name) else { return nil }
    return value.stringValue.flatMap { Timestamp(rfc3339: $0) }
  }

  /// Draws a table, with the number of its rows and the columns that the window has no room for.
  private func counted(_ table: TextTable, _ number: Int, _ noun: String) -> PaintedText {
    let (painted, spared) = table.laidOut(for: profile)
    return painted + count(number, noun) + TextTable.note(leavingOut: spared)
  }

  /// The columns that are useless if cut.
  private static let wholeColumns: Set<String> = [
    "id", "uid", "key", "providerID", "survivor", "absorbed", "keep", "absorb", "at", "endedAt",
    "passed",
  ]

  /// The columns that are shown first.
  private static let preferredOrder = [
    "decision", "keep", "absorb", "key", "name", "id", "version", "now", "file", "providerID",
    "uid", "email", "displayName", "at", "action", "survivor", "absorbed", "passed",
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

extension AuditEvent {
  /// Returns the event as a block of its fields, with times in a zone.
  fileprivate func block(in zone: TimeZone) -> KeyValueBlock {
    let outcome = Cell(outcome, style: errorCode == nil ? .good : .bad)
    var entries: [(key: String, value: Cell)] = [
      ("id", Cell(id, style: .accent)), ("at", Cell(at.textWithZone(zone))),
      ("action", Cell(action.rawValue)), ("what", Cell(what ?? "")),
      ("account", Cell(accountID?.rawValue ?? "")), ("actor", Cell(actor)),
      ("reason", Cell(reason ?? "")), ("outcome", outcome), ("request", Cell(requestID ?? "")),
      ("related", Cell(relatedIDs.map(\.rawValue).joined(separator: ", "))),
    ]
    let others = detailsBesideChanges
    if !others.isEmpty { entries.append(("details", Cell(JSONValue.object(others).text))) }
    return KeyValueBlock(entries.filter { !$0.value.text.isEmpty })
  }

  fileprivate static func table(_ events: [AuditEvent], in zone: TimeZone) -> TextTable {
    let haveRequests = events.contains { $0.requestID != nil }
    var table = TextTable(
      columns: [
        TextTable.Column("id", keepsWhole: true),
        TextTable.Column("at (\(zone.shownName))", keepsWhole: true),
        "action", TextTable.Column("what", canBeSpared: true),
        TextTable.Column("account", keepsWhole: true), "actor",
        TextTable.Column("reason", canBeSpared: true), "outcome",
      ] + (haveRequests ? [TextTable.Column("request", canBeSpared: true)] : []))
    for event in events {
      let request = haveRequests ? [Cell(event.requestID ?? "")] : []
      table.append(
        [
          Cell(event.id, style: .accent), Cell(event.at.text(in: zone)),
          Cell(event.action.rawValue), Cell(event.what ?? ""),
          Cell(event.accountID?.rawValue ?? ""), Cell(event.actor), Cell(event.reason ?? ""),
          Cell(event.outcome, style: event.errorCode == nil ? .good : .bad),
        ] + request)
    }
    return table
  }
}
