import AuthCore
import TerminalOutput

/// The plan of a split or a move side by side: both accounts afterwards, and notes for the admin.
struct TransferText: Drawing {
  let plan: TransferPlan

  func painted(for profile: TerminalProfile) -> PaintedText {
    let rows = plan.fields.filter {
      $0.before != nil || $0.source != nil || $0.target != nil
    }.map { field in
      SideBySide.Row(
        field.field.rawValue, sides: [field.source, field.target], outcome: [field.rule])
    }
    let uids = SideBySide.Row(
      "uid", sides: [plan.sourceAfter.id.rawValue, plan.targetAfter.id.rawValue],
      outcome: [plan.target == nil ? "new" : nil])
    let identities = SideBySide.Row(
      "identities", sides: [list(plan.sourceAfter), list(plan.targetAfter)],
      outcome: ["\(plan.movedIdentities.count) go"])
    let table = SideBySide(
      sides: ["stays", "gets"], outcome: ["rule"], rows: [uids] + rows + [identities],
      keepsWords: true)
    var lines = [table.painted(for: profile)]
    lines += plan.notes.map { PaintedText(line: "• \($0)") }
    let ended = plan.cutSessions.map(\.rawValue).joined(separator: " and ")
    lines.append(
      PaintedText(
        line: ended.isEmpty
          ? "Sessions of the identities that go end." : "Sessions of \(ended) end."))
    lines.append("Nothing is written yet: plan:commit { reason = … } does it.")
    return lines.joined(separator: "\n")
  }

  private func list(_ account: Account) -> String? {
    account.identities.isEmpty
      ? nil : account.identities.map(\.key.description).joined(separator: ", ")
  }
}
