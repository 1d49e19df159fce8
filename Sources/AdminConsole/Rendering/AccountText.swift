import AuthCore
import Foundation
import LuaPlugins
import LuaRuntime
import TerminalOutput

extension Account {
  /// The account in a few words, as `print(account)` shows it.
  var shortText: String {
    let name = email?.text ?? displayName ?? phoneNumber?.text ?? (isAnonymous ? "anonymous" : "")
    return name.isEmpty ? "account \(id)" : "account \(id) \(name)"
  }

  /// Returns the account as a block of its fields, with times in a zone.
  func block(in zone: TimeZone) -> KeyValueBlock {
    var entries: [(key: String, value: Cell)] = []
    func add(_ name: String, _ text: String?, _ style: TextStyle = .plain) {
      if let text { entries.append((name, Cell(text, style: style))) }
    }
    add("uid", id.rawValue, .accent)
    add("email", email.map { "\($0.text) (\(emailVerified ? "verified" : "unverified"))" })
    add("displayName", displayName)
    add("phoneNumber", phoneNumber?.text)
    add("photoURL", photoURL)
    add("disabled", disabled ? "yes" : nil, .bad)
    add("isAnonymous", isAnonymous ? "yes" : nil)
    add("customClaims", customClaims?.text)
    add(
      "providers", identities.isEmpty ? "none" : identities.map(\.shortText).joined(separator: ", ")
    )
    add(
      "multiFactor",
      secondFactors.isEmpty
        ? nil : secondFactors.map { "\($0.factorID) \($0.id)" }.joined(separator: ", "))
    add("created", createdAt.textWithZone(zone))
    add("last sign-in", lastSignInAt?.textWithZone(zone))
    return KeyValueBlock(entries)
  }

  static func table(_ accounts: [(id: AccountID, standing: AccountStanding)]) -> TextTable {
    var table = TextTable(columns: [
      TextTable.Column("uid", keepsWhole: true), .address("email"),
      TextTable.Column("verified", canBeSpared: true), "displayName",
      TextTable.Column("providers", canBeSpared: true),
    ])
    for (id, standing) in accounts {
      guard let account = standing.account else {
        table.append([Cell(id.rawValue, style: .muted), Cell(standing.goneText ?? "")])
        continue
      }
      table.append([
        Cell(account.id.rawValue, style: account.disabled ? .muted : .accent),
        Cell(account.email?.text ?? ""),
        Cell(account.email == nil ? "" : account.emailVerified ? "yes" : "no"),
        Cell(account.displayName ?? ""),
        Cell(account.identities.map(\.provider.rawValue).joined(separator: ", ")),
      ])
    }
    return table
  }
}

extension AccountStanding {
  /// The fate of an account that is gone.
  var goneText: String? {
    switch self {
    case .there: nil
    case .merged(let survivor): "merged into \(survivor)"
    case .deleted: "deleted"
    case .replaced: "made anew, or taken over"
    }
  }

  /// Returns the text that `print(account)` shows.
  func shortText(of id: AccountID) -> String {
    let text = account?.shortText ?? "account \(id)"
    return goneText.map { "\(text) (\($0))" } ?? text
  }

  func block(of id: AccountID, _ deletion: Deletion?, in zone: TimeZone) -> KeyValueBlock {
    if let account { return account.block(in: zone) }
    var entries = [("uid", Cell(id.rawValue)), ("gone", Cell(goneText ?? ""))]
    if let deletion {
      entries += [("deleted", Cell(deletion.at.textWithZone(zone))), ("by", Cell(deletion.actor))]
      if let reason = deletion.reason { entries.append(("reason", Cell(reason))) }
      let restore = deletion.restorableUntil.map {
        "accounts.restore \"\(deletion.account)\", until \($0.textWithZone(zone))"
      }
      entries.append(("restore", Cell(restore ?? "cannot be restored")))
    }
    return KeyValueBlock(entries)
  }

  /// Returns the account as data, with its fate if it is gone.
  func lua(of id: AccountID) -> LuaTable {
    var table = account?.lua ?? LuaTable(fields: ["uid": .string(id.rawValue)])
    for field in GoneField.allCases { table[field.rawValue] = field.value(of: self) }
    return table
  }
}

extension Identity {
  var shortText: String {
    let asserted = origin == .assertion ? " (asserted)" : ""
    return "\(key)\(asserted)"
  }
}
