import AuthCore
import LuaRuntime

/// The rules behind one event or one rehearsal, as `why` shows them.
struct TraceView: Sendable {
  let id: String
  let title: String
  let lua: LuaTable
  private let trace: Trace

  init(_ event: AuditEvent) {
    id = event.id
    trace = event.trace
    let outcome = event.errorCode.map { "refused with \($0)" } ?? "done"
    let account = event.accountID.map { " of \($0)" } ?? ""
    title =
      "\(event.action.rawValue)\(account), \(outcome), \(event.at.text), by \(event.actor)"
      + (event.reason.map { ": \($0)" } ?? "")
    var table = event.lua
    table["details"] = .nil
    table["relatedIDs"] = .nil
    table["steps"] = event.trace.lua
    lua = table
  }

  init(_ receipt: Receipt) {
    id = receipt.id
    trace = receipt.trace
    title = receipt.shortText
    var table = receipt.lua
    table["steps"] = receipt.trace.lua
    lua = table
  }

  func render(for profile: TerminalProfile) -> String {
    guard !trace.steps.isEmpty else {
      return VisibleText.neutralised(title) + "\nNo rule had to be asked."
    }
    var table = TextTable(columns: ["rule", "looked at", "said"], overflow: .wrap)
    for step in trace.steps {
      let inputs = step.inputs.map { "\($0.name): \($0.value)" }.joined(separator: "; ")
      table.append([Cell(step.rule, style: .accent), Cell(inputs), Cell(step.result)])
    }
    return VisibleText.neutralised(title) + "\n" + table.render(for: profile)
  }
}

extension Trace {
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
