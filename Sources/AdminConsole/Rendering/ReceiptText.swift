import AuthCore
import Foundation
import TerminalOutput

/// The receipt of a dry run for people: each field that would change, before and after.
struct ReceiptText: Drawing {
  let receipt: Receipt

  func painted(for profile: TerminalProfile) -> PaintedText {
    let title = PaintedText(line: receipt.shortText)
    let changes = receipt.rehearsed.flatMap { parts(of: $0, profile) }
    return ([title] + changes).joined(separator: "\n")
  }

  private func parts(of change: RehearsedChange, _ profile: TerminalProfile) -> [PaintedText] {
    var parts: [PaintedText] = []
    if receipt.rehearsed.count > 1 || change.id != receipt.accountID {
      parts.append(PaintedText(line: "account \(change.id)", style: .heading))
    }
    if let survivor = change.mergedInto {
      return parts + [PaintedText(line: "It would be absorbed by \(survivor).")]
    }
    let rows = change.rows(in: profile.zone)
    if !rows.isEmpty {
      let table = SideBySide(sides: ["before", "after"], rows: rows, keepsWords: true)
      parts.append(table.painted(for: profile))
    }
    if change.after == nil {
      parts.append(PaintedText(line: "The account would be gone.", style: .bad))
    } else if change.losesLastWayIn {
      parts.append(
        PaintedText(
          line: "No way to sign in would remain: nobody could sign in to it.", style: .bad))
    }
    return parts
  }
}

extension RehearsedChange {
  /// The fields whose values differ.
  func rows(in zone: TimeZone) -> [SideBySide.Row] {
    fields(in: zone).map { SideBySide.Row($0.name, sides: [$0.before, $0.after]) }
  }

  /// A field with its values as texts; nil if there is none.
  typealias FieldChange = (name: String, before: String?, after: String?)

  /// The fields whose values differ.
  func fields(in zone: TimeZone?) -> [FieldChange] {
    let visible = Self.shown.map { name, value -> FieldChange in
      (name, before.flatMap { value($0, zone) }, after.flatMap { value($0, zone) })
    }
    return visible.filter { $0.before != $0.after } + hidden
  }

  /// The differences that have no value to show.
  private var hidden: [FieldChange] {
    guard let before, let after else { return [] }
    var rows: [FieldChange] = []
    let secrets = after.identities.filter { new in
      before.identity(new.key).map { $0.secret?.changedAt != new.secret?.changedAt } ?? false
    }
    if !secrets.isEmpty { rows.append(("password", "•••", "another")) }
    if before.generation != after.generation || before.validSince != after.validSince {
      rows.append(("sessions", "as they are", "all end"))
    }
    return rows
  }

  private typealias Value = @Sendable (Account, TimeZone?) -> String?

  /// The fields that people know, in the order of an account's block.
  private static let shown: [(String, Value)] = [
    ("uid", { account, _ in account.id.rawValue }),
    ("email", { account, _ in account.email?.text }),
    (
      "emailVerified",
      { account, _ in account.email == nil ? nil : account.emailVerified ? "true" : "false" }
    ),
    ("displayName", { account, _ in account.displayName }),
    ("phoneNumber", { account, _ in account.phoneNumber?.text }),
    ("photoURL", { account, _ in account.photoURL }),
    ("disabled", { account, _ in account.disabled ? "true" : "false" }),
    ("isAnonymous", { account, _ in account.isAnonymous ? "true" : nil }),
    ("customClaims", { account, _ in account.customClaims?.text }),
    (
      "identities",
      { account, _ in
        account.identities.isEmpty
          ? nil : account.identities.map(\.key.description).joined(separator: ", ")
      }
    ),
    (
      "secondFactors",
      { account, _ in
        account.secondFactors.isEmpty
          ? nil : account.secondFactors.map { "\($0.factorID) \($0.id)" }.joined(separator: ", ")
      }
    ),
    ("createdAt", { account, zone in account.createdAt.shown(in: zone) }),
    ("lastSignInAt", { account, zone in account.lastSignInAt?.shown(in: zone) }),
  ]
}

extension Timestamp {
  /// The time for people in a zone, or for programs without one.
  fileprivate func shown(in zone: TimeZone?) -> String { zone.map(textWithZone) ?? text }
}
