import AdminConsole
import AuthCore
import TerminalOutput

/// The effect of sealing a store with one key, for people and as JSON.
struct ResealingSummary: Drawing {
  let findings: [ResealingFinding: Int]
  /// The key that seals everything afterwards.
  let keyID: String
  /// The files of the given keys, by key ID.
  let names: [String: String]
  let isCommitted: Bool

  private func count(_ outcome: ResealingOutcome) -> Int {
    findings.filter { $0.key.outcome == outcome }.values.reduce(0, +)
  }

  private var rows: [(finding: ResealingFinding, count: Int)] {
    findings.map { ($0.key, $0.value) }.sorted { a, b in
      (a.finding.scope.description, a.finding.what, a.finding.keyID ?? "")
        < (b.finding.scope.description, b.finding.what, b.finding.keyID ?? "")
    }
  }

  private func key(_ finding: ResealingFinding) -> String {
    guard let id = finding.keyID else { return "unknown" }
    return names[id] ?? "unknown key \(id)"
  }

  private func outcome(_ finding: ResealingFinding) -> String {
    switch finding.outcome {
    case .kept: "stays"
    case .resealed: isCommitted ? "sealed anew" : "to be sealed anew"
    case .dropped: isCommitted ? "removed" : "to be removed"
    case .unreadable: "opens with no key"
    }
  }

  /// Draws a table of the texts that change, and the totals.
  func painted(for profile: TerminalProfile) -> PaintedText {
    let name = names[keyID] ?? keyID
    let changed = rows.filter { $0.finding.outcome != .kept }
    guard !changed.isEmpty else {
      return PaintedText(
        "Everything in the store is sealed with \(name): \(Self.texts(count(.kept))).")
    }
    var table = TextTable(
      columns: ["scope", "what", "sealed with", "texts", TextTable.Column("", keepsWhole: true)],
      overflow: .wrap)
    for (finding, count) in changed {
      let scope = finding.scope.project.isEmpty ? "the store" : finding.scope.description
      table.append(
        [scope, finding.what, key(finding), String(count), outcome(finding)].map { Cell($0) })
    }
    var lines = ["\(Self.texts(count(.kept))) sealed with \(name) before."]
    let (resealed, dropped) = (count(.resealed), count(.dropped))
    if isCommitted {
      lines.append("\(Self.texts(resealed)) sealed anew, \(dropped) removed.")
      lines.append("Start every server and command of the store with the key file \(name).")
    } else {
      lines.append(
        "Nothing is written. Add --commit to seal \(Self.texts(resealed)) anew"
          + (dropped > 0 ? " and remove \(dropped)." : "."))
    }
    if count(.unreadable) > 0 {
      lines.append(
        "\(Self.texts(count(.unreadable))) opened by no key. Name the key by --also, or remove all but second factors "
          + "with --drop.")
    }
    return table.painted(for: profile) + "\n" + PaintedText(lines.joined(separator: "\n"))
  }

  private static func texts(_ count: Int) -> String {
    count == 1 ? "1 text" : "\(count) texts"
  }

  var json: JSONValue {
    [
      "key": .string(keyID), "committed": .bool(isCommitted),
      "resealed": .integer(Int64(count(.resealed))), "dropped": .integer(Int64(count(.dropped))),
      "unreadable": .integer(Int64(count(.unreadable))), "kept": .integer(Int64(count(.kept))),
      "findings": .array(
        rows.map { finding, count in
          [
            "scope": .string(finding.scope.description), "what": .string(finding.what),
            "key": .optional(finding.keyID),
            "keyFile": .optional(finding.keyID.flatMap { names[$0] }),
            "outcome": .string(finding.outcome.rawValue), "count": .integer(Int64(count)),
          ]
        }),
    ]
  }
}
