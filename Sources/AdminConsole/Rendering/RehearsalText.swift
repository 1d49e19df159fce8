import AuthCore
import TerminalOutput

/// A rehearsal as a table of its changes.
struct RehearsalText: Drawing {
  let view: RehearsalView

  func painted(for profile: TerminalProfile) -> PaintedText {
    guard !view.entries.isEmpty else { return "Nothing is rehearsed yet." }
    var table = TextTable(
      columns: ["", "action", "account", "change", "reason"], overflow: .wrap)
    for (index, entry) in view.entries.enumerated() {
      table.append([
        Cell("\(index + 1)"), Cell(entry.receipt.action.rawValue), Cell(entry.accountText),
        Cell(entry.changeText), Cell(entry.reason ?? ""),
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

  /// The details in words: `fields: displayName`.
  fileprivate var changeText: String {
    guard case .object(let members) = details else { return "" }
    return members.sorted { $0.key < $1.key }.compactMap { name, value in
      guard name != "client", !value.isEmpty else { return nil }
      return "\(name): \(value.words)"
    }.joined(separator: "; ")
  }
}

extension JSONValue {
  fileprivate var isEmpty: Bool {
    switch self {
    case .null: true
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    default: false
    }
  }

  /// The value as a person reads it.
  fileprivate var words: String {
    switch self {
    case .string(let text): text
    case .array(let elements): elements.map(\.words).joined(separator: ", ")
    case .object(let members) where members["from"] != nil || members["to"] != nil:
      "\(members["from"]?.words ?? "") → \(members["to"]?.words ?? "")"
    case .null: "none"
    default: text
    }
  }
}
