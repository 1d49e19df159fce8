import AuthCore
import LuaRuntime
import TerminalOutput

/// The rules behind one event or one dry run, as `why` shows them.
struct TraceView: Drawing {
  let id: String
  /// The title without the time, before and behind it.
  private let heading: (String, at: Timestamp?, String)
  let lua: LuaTable
  private let trace: Trace
  /// The details of the event other than its rules and its changed values.
  private let details: [String: JSONValue]
  /// The values before and after, of an event.
  private let changes: [ValueChange]

  init(_ event: AuditEvent) {
    id = event.id
    trace = event.trace
    // The request is part of the title, and changes are shown by themselves.
    details = event.detailsBesideChanges.filter { $0.key != "client" }
    changes = event.changes
    let outcome = event.errorCode.map { "refused with \($0)" } ?? "done"
    let account = event.accountID.map { " of \($0)" } ?? ""
    heading = (
      "\(event.action.rawValue)\(account), \(outcome), ", event.at,
      ", by \(event.actor)" + (event.requestID.map { " in request \($0)" } ?? "")
        + (event.reason.map { ": \($0)" } ?? "")
    )
    var table = event.lua
    table["related"] = .nil
    table["steps"] = event.trace.lua
    lua = table
  }

  init(_ receipt: Receipt) {
    id = receipt.id
    trace = receipt.trace
    details = [:]
    changes = []
    heading = (receipt.shortText, nil, "")
    var table = LuaTable(fields: [
      "id": .string(id), "account": .string(receipt.accountID.rawValue),
      "action": .string(receipt.action.rawValue),
    ])
    table["steps"] = receipt.trace.lua
    lua = table
  }

  func painted(for profile: TerminalProfile) -> PaintedText {
    let time = self.heading.at?.textWithZone(profile.zone) ?? ""
    let heading = PaintedText(line: self.heading.0 + time + self.heading.2)
    guard !trace.steps.isEmpty else {
      return heading + "\nNo rule was evaluated." + paintedDetails(for: profile)
        + paintedChanges(for: profile)
    }
    var table = TextTable(columns: ["rule", "looked at", "said"], overflow: .fold)
    for step in trace.steps {
      let inputs = step.inputs.map { "\($0.name): \($0.value)" }.joined(separator: "; ")
      table.append([Cell(step.rule, style: .accent), Cell(inputs), Cell(step.result)])
    }
    let rules = heading + "\n" + table.painted(for: profile)
    // The rules of authority alone do not show the change itself.
    return (trace.isOfAuthorityAlone ? rules + paintedDetails(for: profile) : rules)
      + paintedChanges(for: profile)
  }

  private func paintedChanges(for profile: TerminalProfile) -> PaintedText {
    guard !changes.isEmpty else { return "" }
    var table = TextTable(columns: ["changed", "before", "after"], overflow: .fold)
    for change in changes {
      let (before, after) = change.sides(in: profile.zone)
      table.append([Cell(change.label, style: .accent), Cell(before), Cell(after)])
    }
    return "\n" + table.painted(for: profile)
  }

  private func paintedDetails(for profile: TerminalProfile) -> PaintedText {
    let entries = details.sorted { $0.key < $1.key }
      .map { (key: $0.key, value: Cell($0.value.stringValue ?? $0.value.text)) }
    return entries.isEmpty ? "" : "\n" + KeyValueBlock(entries).painted(for: profile)
  }
}

extension Trace {
  fileprivate var isOfAuthorityAlone: Bool { steps.allSatisfy { $0.rule == "authority" } }

  fileprivate var lua: LuaValue {
    .table(
      LuaTable(
        array: steps.map { step in
          let inputs = step.inputs.map { ($0.name, LuaValue.string($0.value)) }
          return [
            "rule": .string(step.rule), "result": .string(step.result),
            "inputs": .table(
              LuaTable(fields: Dictionary(inputs, uniquingKeysWith: { _, last in last }))),
          ]
        }))
  }
}
