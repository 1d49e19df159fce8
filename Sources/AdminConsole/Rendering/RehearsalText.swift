import AuthCore
import TerminalOutput

/// A rehearsal as a table of its changes.
struct RehearsalText: Drawing {
  let view: RehearsalView

  func painted(for profile: TerminalProfile) -> PaintedText {
    guard !view.entries.isEmpty else { return "Nothing is rehearsed yet." }
    var table = TextTable(
      columns: ["", "action", "account", "what", "reason"], overflow: .wrap)
    for (index, entry) in view.entries.enumerated() {
      table.append([
        Cell("\(index + 1)"), Cell(entry.receipt.action.rawValue), Cell(entry.accountText),
        Cell(entry.event.what ?? ""), Cell(entry.event.reason ?? ""),
      ])
    }
    let count = view.entries.count
    let advice =
      "Nothing is written yet: commit { reason = … } writes \(count == 1 ? "it" : "all \(count)"), nevermind() forgets "
      + "\(count == 1 ? "it" : "them")."
    return table.painted(for: profile) + "\n" + PaintedText(line: advice)
  }
}

extension Rehearsal.Entry {
  fileprivate var accountText: String {
    account?.email?.text ?? account?.displayName ?? receipt.accountID.rawValue
  }
}
