import AuthCore
import Foundation
import TerminalOutput

/// A receipt for people, with the ways in that stay; of a dry run also each value that would change, before and after,
/// and what would be lost.
struct ReceiptText: Drawing {
  let receipt: Receipt

  func painted(for profile: TerminalProfile) -> PaintedText {
    guard receipt.dryRun else {
      return ([PaintedText(line: receipt.shortText)] + waysIn(profile)).joined(separator: "\n")
    }
    if let undo = receipt.undo {
      let text = UndoText(undo: undo, receipt: receipt)
      return ([text.painted(for: profile)] + waysIn(profile)).joined(separator: "\n")
    }
    return rehearsal(for: profile)
  }

  /// The ways in that stay, in a line for each account.
  private func waysIn(_ profile: TerminalProfile) -> [PaintedText] {
    receipt.waysIn.map { entry in
      let names = entry.ways.map { $0.provider?.rawValue ?? $0.kind.rawValue }
      let owner = receipt.waysIn.count > 1 ? " on \(entry.account)" : ""
      let text = names.isEmpty ? "none" : names.joined(separator: ", ")
      return Prose("ways in that stay\(owner): \(text)").painted(for: profile)
    }
  }

  private func rehearsal(for profile: TerminalProfile) -> PaintedText {
    var parts = [PaintedText(line: receipt.shortText)]
    var accounts: [AccountID?] = []
    for change in receipt.changes where !accounts.contains(change.account) {
      accounts.append(change.account)
    }
    for account in accounts {
      if accounts.count > 1 || account != nil {
        parts.append(PaintedText(line: "account \(account ?? receipt.accountID)", style: .heading))
      }
      let rows = receipt.changes.filter { $0.account == account }.map { change in
        let (before, after) = change.sides(in: profile.zone)
        return SideBySide.Row(change.name, sides: [before, after])
      }
      let table = SideBySide(sides: ["before", "after"], rows: rows, keepsWords: true)
      parts.append(table.painted(for: profile))
    }
    if let losses = receipt.losses { parts += lost(losses, profile) }
    parts += waysIn(profile)
    return parts.joined(separator: "\n")
  }

  private func lost(_ losses: Losses, _ profile: TerminalProfile) -> [PaintedText] {
    guard receipt.action == .delete else {
      let text = "No way to sign in would remain: nobody could sign in to it."
      return losses.waysIn > 0 ? [] : [PaintedText(line: text, style: .bad)]
    }
    let entries = losses.lists.map { ($0.name, Cell($0.texts.joined(separator: ", "))) }
    let block = entries.isEmpty ? [] : [KeyValueBlock(entries).painted(for: profile)]
    let restorable = losses.restorableUntil.map {
      "It could be restored until \($0.textWithZone(profile.zone))."
    }
    return block + [
      PaintedText(line: "The account would be gone.", style: .bad),
      PaintedText(line: restorable ?? "It could not be restored."),
    ]
  }
}

extension ValueChange {
  /// The values as texts, with times in a zone; a secret has none to show.
  func sides(in zone: TimeZone) -> (before: String, after: String) {
    if isSecret { return ("secret", "another secret") }
    return (text(from, zone), text(to, zone))
  }

  private func text(_ value: JSONValue?, _ zone: TimeZone) -> String {
    guard let value, value != .null else { return "none" }
    guard let text = value.stringValue else { return value.text }
    let time = name.hasSuffix("At") ? Timestamp(rfc3339: text) : nil
    return time?.textWithZone(zone) ?? text
  }
}

extension Losses {
  /// The losses as lists of texts for people, by name; none is empty.
  var lists: [(name: String, texts: [String])] {
    let all = [
      ("identities", identities.map(\.description)),
      ("address", [email?.text].compactMap(\.self)),
      ("number", [phoneNumber?.text].compactMap(\.self)),
      ("second factors", secondFactors),
      ("uids merged into it", absorbed.map(\.rawValue)),
    ]
    return all.filter { !$0.1.isEmpty }.map { (name: $0.0, texts: $0.1) }
  }
}
