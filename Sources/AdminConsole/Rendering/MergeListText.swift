import AuthCore
import TerminalOutput

/// A list of proposed merges: how many of each decision, and the first pairs with their reasons.
struct MergeListText: Drawing {
  let list: MergeListHandle

  /// The number of pairs that are shown; the file of the list has all.
  private static let mostShown = 40

  func painted(for profile: TerminalProfile) -> PaintedText {
    let proposals = list.proposals
    guard !proposals.isEmpty else { return "No pairs." }
    var table = TextTable(
      columns: [
        TextTable.Column("#", alignment: .trailing), "decision",
        TextTable.Column("keep", keepsWhole: true), TextTable.Column("absorb", keepsWhole: true),
        TextTable.Column("key", canBeSpared: true),
        TextTable.Column("providers", canBeSpared: true), "reason",
      ], overflow: .wrap)
    for (index, proposal) in proposals.prefix(Self.mostShown).enumerated() {
      table.append([
        Cell("\(index + 1)"), Cell(proposal.decision.rawValue, style: proposal.decision.style),
        Cell(proposal.pair.keep.rawValue), Cell(proposal.pair.absorb.rawValue),
        Cell(proposal.key?.description ?? ""), Cell(providers(proposal)), Cell(proposal.reason),
      ])
    }
    let (painted, spared) = table.laidOut(for: profile)
    var lines = [painted + TextTable.note(leavingOut: spared)]
    if proposals.count > Self.mostShown {
      lines.append(
        PaintedText(
          line: "… and \(proposals.count - Self.mostShown) more: list:save \"plans.csv\" has all."))
    }
    lines.append(PaintedText(line: summary))
    let advice =
      switch (list.counts[.merge] ?? 0, list.counts[.changed] ?? 0) {
      case (1..., _):
        "Nothing of it is written yet: list:commit { reason = … } merges the pairs with the decision merge."
      case (0, 1...): "merge.load(file, { replan = true }) plans the changed pairs again."
      default: "No pair is left to be merged."
      }
    lines.append(Prose(advice).painted(for: profile))
    return lines.joined(separator: "\n")
  }

  private var summary: String {
    let counts = list.counts
    let parts = MergeProposal.Decision.allCases.compactMap { decision in
      counts[decision].map { "\($0) \(decision.rawValue)" }
    }
    return "batch \(list.batch): \(parts.joined(separator: ", "))"
  }

  private func providers(_ proposal: MergeProposal) -> String {
    [proposal.survivor, proposal.absorbed].map { account in
      account?.identities.map(\.provider.rawValue).joined(separator: ", ") ?? ""
    }.joined(separator: " + ")
  }
}

extension MergeProposal.Decision {
  fileprivate var style: TextStyle {
    switch self {
    case .merge, .done: .good
    case .look, .changed: .accent
    case .leave: .muted
    }
  }
}
