import AuthCore
import TerminalOutput

/// A merge plan side by side: both accounts, the result of each field, and notes for the admin.
struct PlanText: Drawing {
  let plan: MergePlan

  func painted(for profile: TerminalProfile) -> PaintedText {
    let rows = plan.fields.filter { $0.kept != nil || $0.other != nil }.map { field in
      SideBySide.Row(
        field.field.rawValue, sides: [field.kept, field.other], outcome: [field.result, field.rule])
    }
    let identities = SideBySide.Row(
      "identities", sides: [list(plan.survivor), list(plan.absorbed)],
      outcome: [
        list(plan.result), plan.droppedIdentities.isEmpty ? "union" : "union, some dropped",
      ])
    let uids = SideBySide.Row(
      "uid", sides: [plan.survivor.id.rawValue, plan.absorbed.id.rawValue],
      outcome: [plan.survivor.id.rawValue, "the other stays an alias"])
    let table = SideBySide(
      sides: ["kept", "absorbed"], outcome: ["result", "rule"], rows: [uids] + rows + [identities])
    var lines = [table.painted(for: profile)]
    lines += plan.notes.map { PaintedText(line: "• \($0)") }
    lines.append(
      PaintedText(
        line: "Sessions of \(plan.cutSessions.map(\.rawValue).joined(separator: " and ")) end."))
    lines.append("Nothing is written yet: plan:commit { reason = … } does it.")
    return lines.joined(separator: "\n")
  }

  private func list(_ account: Account) -> String? {
    account.identities.isEmpty
      ? nil : account.identities.map(\.key.description).joined(separator: ", ")
  }
}
