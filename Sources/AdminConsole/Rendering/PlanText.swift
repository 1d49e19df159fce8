import AuthCore
import TerminalOutput

/// A merge plan side by side: both accounts, the result of each field, and notes for the admin.
struct PlanText: Drawing {
  let plan: MergePlan

  func painted(for profile: TerminalProfile) -> PaintedText {
    let rows = plan.fields.filter { $0.kept != nil || $0.other != nil }.map { field in
      let sides = [plan.survivor, plan.absorbed, plan.result].map { field.field.time(of: $0) }
      let zone = profile.zone
      let texts = zip(sides, [field.kept, field.other, field.result]).map { time, text in
        time.map { $0.textWithZone(zone) } ?? text
      }
      return SideBySide.Row(
        field.field.rawValue, sides: [texts[0], texts[1]], outcome: [texts[2], field.rule])
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
      sides: ["kept", "absorbed"], outcome: ["result", "rule"], rows: [uids] + rows + [identities],
      keepsWords: true)
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

extension MergeField {
  /// The account's value of a field that is a time; nil for all other fields.
  fileprivate func time(of account: Account) -> Timestamp? {
    switch self {
    case .createdAt: account.createdAt
    case .lastSignInAt: account.lastSignInAt
    default: nil
    }
  }
}
