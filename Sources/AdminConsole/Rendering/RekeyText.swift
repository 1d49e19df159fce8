import AuthCore
import Foundation
import TerminalOutput

/// A rekey for people: its preview, if requested, and its progress.
struct RekeyText: Drawing {
  let handle: RekeyHandle

  func painted(for profile: TerminalProfile) -> PaintedText {
    let oldKeys = oldKeys(in: profile.zone)
    guard let preview = handle.preview else { return PaintedText(line: line + oldKeys) }
    var lines = [PaintedText(line: "\(title), \(count(preview.found, "identity")) found")]
    var counts = TextTable(columns: ["identities", "count", "result"])
    let rows: [(String, Int, String)] = [
      ("mapped", preview.mapped, "get their new key; \(oldKeys)"),
      ("joined", preview.joined, "of those: the account has the new key already, and keeps one"),
      ("already", preview.already, "have their new key"),
      ("unmapped", preview.unmappedCount, "have no new subject, and stay as they are"),
      ("conflicts", preview.conflictCount, "their new key is not free, and they stay as they are"),
    ]
    for (name, count, meaning) in rows where count > 0 || name == "mapped" {
      let style: TextStyle = name == "conflicts" ? .bad : .plain
      counts.append([Cell(name, style: style), Cell("\(count)"), Cell(meaning)])
    }
    lines.append(counts.painted(for: profile))
    if !preview.conflicts.isEmpty {
      var table = TextTable(
        columns: ["account", "old subject", "new subject", "conflict"], overflow: .wrap)
      for conflict in preview.conflicts {
        table.append([
          Cell(conflict.account.rawValue), Cell(conflict.key.subject),
          Cell(conflict.newKey.subject), Cell(conflict.causeText),
        ])
      }
      lines.append(table.painted(for: profile))
      lines.append(more(preview.conflictCount - preview.conflicts.count))
    }
    if !preview.unmapped.isEmpty {
      let subjects = preview.unmapped.map(\.subject).joined(separator: ", ")
      lines.append(PaintedText(line: "Without a new subject: \(subjects)"))
      lines.append(more(preview.unmappedCount - preview.unmapped.count))
    }
    lines.append(
      handle.rekey.begunAt == nil
        ? "Nothing is written yet: plan:commit { reason = … } does it."
        : "It was begun: plan:commit { reason = … } goes on, plan:rollback { } takes it back.")
    return lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private var title: String {
    let rekey = handle.rekey
    return "rekey \(rekey.id): \(rekey.from) to \(rekey.to)"
  }

  private var line: String {
    let progress = handle.progress
    return "\(title), \(handle.rekey.state.rawValue): \(progress.rekeyed) rekeyed, "
      + "\(progress.unmapped) without a new subject, \(progress.conflicts) in conflict; "
  }

  private func oldKeys(in zone: TimeZone) -> String {
    if let until = handle.rekey.until {
      return "old keys sign in until \(until.textWithZone(zone))"
    }
    let (days, rest) = handle.rekey.window.quotientAndRemainder(dividingBy: 86_400)
    let length = rest == 0 && days > 0 ? "\(days) days" : "\(handle.rekey.window) seconds"
    return "old keys sign in for \(length) more"
  }

  private func more(_ count: Int) -> PaintedText { count > 0 ? "… and \(count) more" : "" }

  private func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) identities"
  }
}
