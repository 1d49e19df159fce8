import AdminConsole
import AuthCore
import Foundation
import TerminalOutput

/// The summary of a completed copy.
struct CopySummary: Drawing {
  let from: StoreLocation
  let to: StoreLocation
  let isFinal: Bool
  let outcome: StoreCopyRun.Outcome
  let duration: Duration

  private var rows: Int { outcome.tables.reduce(0) { $0 + $1.rows } }

  func painted(for profile: TerminalProfile) -> PaintedText {
    var table = TextTable(columns: [
      TextTable.Column("table", keepsWhole: true), "rows", "mended", "removed", "digest",
    ])
    for each in outcome.tables {
      table.append(
        [
          each.name, "\(each.rows)", "\(each.written)", "\(each.removed)",
          String(each.digest.prefix(16)),
        ].map { Cell($0) })
    }
    let lines = """
      Equal at \(outcome.equalAt.text): \(rows) rows, SHA-256 \(outcome.digest).
      \(isFinal ? closed : open)
      Secrets are sealed as they were: every server on \(to) needs the key file of \(from).
      """
    return table.painted(for: profile) + "\n" + PaintedText(lines)
  }

  private var closed: String {
    "\(from) is closed to changes; authgraph store reopen --store \(from) opens it again."
  }

  private var open: String {
    "\(from) may have changed since; run this again with --final to move."
  }

  var json: JSONValue {
    [
      "from": .string("\(from)"), "to": .string("\(to)"), "final": .bool(isFinal),
      "resumed": .bool(outcome.isResumed), "equalAt": .string(outcome.equalAt.text),
      "comparisons": .integer(Int64(outcome.comparisons)), "rows": .integer(Int64(rows)),
      "digest": .string(outcome.digest),
      "seconds": .number(duration / .seconds(1)),
      "tables": .array(
        outcome.tables.map { table in
          [
            "table": .string(table.name), "rows": .integer(Int64(table.rows)),
            "mended": .integer(Int64(table.written)), "removed": .integer(Int64(table.removed)),
            "digest": .string(table.digest),
          ]
        }),
    ]
  }
}
