import AuthCore
import TerminalOutput

/// The rehearsal of an undo for people: both accounts as they would be beside the one that is there now, and each later
/// change.
struct UndoText: Drawing {
  let undo: UndoPreview
  let receipt: Receipt

  func painted(for profile: TerminalProfile) -> PaintedText {
    let rows = undo.rows.map { row in
      SideBySide.Row(row.name, sides: [row.now, row.survivor, row.absorbed])
    }
    let sides = [
      undo.now == nil ? "deleted" : "now", "\(undo.survivor.id) again", "\(undo.absorbed.id) again",
    ]
    var parts = [
      PaintedText(line: receipt.shortText),
      SideBySide(sides: sides, rows: rows, keepsWords: true).painted(for: profile),
    ]
    if !undo.changes.isEmpty {
      let changes = undo.changes.map { change in
        SideBySide.Row(
          change.name, sides: [change.merged, change.now],
          outcome: [change.isKept ? "kept" : "lost"])
      }
      parts.append(
        SideBySide(
          field: "later change", sides: ["after the merge", "now"], outcome: ["by the undo"],
          rows: changes, keepsWords: true
        ).painted(for: profile))
    }
    if let refusal = undo.refusal {
      parts.append(Prose(ErrorText(refusal).line, style: .bad).painted(for: profile))
    }
    return parts.joined(separator: "\n")
  }
}
