package import AuthCore
package import TerminalOutput

/// The outcome of a replay, as a script holds it and people read it: a summary, and a table of the differences.
package struct ReplayView: Drawing {
  private let replay: PolicyReplay

  /// Makes a view of an outcome.
  package init(_ replay: PolicyReplay) {
    self.replay = replay
  }

  /// The number of differences in the table for people.
  private static let mostShown = 50

  /// The outcome in one line: `412 conflicts: 398 as before, 11 now refused, 3 with another survivor`.
  package var summary: String {
    let changes = PolicyReplay.Change.allCases.compactMap { change in
      replay.changes[change].map { "\($0) \(change.phrase)" }
    }
    let same = replay.same == replay.count ? "all as before" : "\(replay.same) as before"
    guard replay.count > 0 else { return "0 conflicts were recorded." }
    return "\(replay.count) conflict\(replay.count == 1 ? "" : "s"): "
      + ([same] + changes).joined(separator: ", ")
  }

  /// The outcome as `--json` prints it.
  package var json: JSONValue {
    [
      "summary": .string(summary), "count": .integer(Int64(replay.count)),
      "same": .integer(Int64(replay.same)),
      "changes": .object(
        Dictionary(
          uniqueKeysWithValues: replay.changes.map { change, count in
            (change.rawValue, JSONValue.integer(Int64(count)))
          })),
      "differences": .array(replay.differences.map(\.json)),
    ]
  }

  package func painted(for profile: TerminalProfile) -> PaintedText {
    let line = PaintedText(line: summary, style: .heading)
    guard !replay.differences.isEmpty else { return line }
    var table = TextTable(
      columns: [
        TextTable.Column("event", keepsWhole: true), TextTable.Column("change"),
        TextTable.Column("before", minimumWidth: 16), TextTable.Column("now", minimumWidth: 16),
      ], overflow: .wrap)
    let shown = replay.differences.prefix(Self.mostShown)
    for difference in shown {
      table.append([
        Cell(difference.decision.id), Cell(difference.change.phrase),
        Cell(difference.before), Cell(difference.after),
      ])
    }
    let total = replay.changes.values.reduce(0, +)
    let rest: PaintedText =
      total > shown.count
      ? PaintedText("\n\(total - shown.count) more; replay.differences has them.") : ""
    return line + "\n\n" + table.painted(for: profile) + rest
  }
}

extension PolicyReplay.Difference {
  fileprivate var before: String { decision.ruling?.phrase ?? "none" }
  fileprivate var after: String { now?.phrase ?? "not asked" }

  fileprivate var json: JSONValue {
    [
      "id": .string(decision.id), "at": .string(decision.at.text),
      "change": .string(change.rawValue), "before": .string(before), "now": .string(after),
    ]
  }
}

extension PolicyReplay.Change {
  /// The change in words, behind a number.
  fileprivate var phrase: String {
    switch self {
    case .refused: "now refused"
    case .merged: "now merged"
    case .survivor: "with another survivor"
    case .fields: "with other fields"
    case .required: "with another requirement"
    case .reviewed: "now for review"
    case .reason: "with another reason"
    case .unasked: "not asked any more"
    case .failed: "now failing"
    }
  }
}

extension PolicyJudgement.Ruling {
  /// The answer in one line.
  var phrase: String {
    switch self {
    case .failure(let message): return "fails: \(message)"
    case .answer(.refuse(let refusal)):
      return "refuse: \(refusal.reason)" + (refusal.code.map { " (\($0))" } ?? "")
    case .answer(.require(.recentLogin(let seconds?))):
      return "require: recent login (\(seconds) s)"
    case .answer(.require(let requirement)): return "require: \(requirement.name)"
    case .answer(.review(let reason)): return "review: \(reason)"
    case .answer(.merge(let into, _, let rules)):
      let fields = rules.fields.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { "\($0.key.rawValue) = \($0.value.phrase)" }
      let dropped = rules.droppedIdentities.map { "drop \($0)" }
      let survivor = into == DecisionMask.existing ? "existing" : "current"
      return (["merge into \(survivor)"] + fields + dropped).joined(separator: "; ")
    }
  }
}

extension FieldRule {
  fileprivate var phrase: String {
    guard case .value(let value) = self else { return name }
    return value == DecisionMask.hidden ? "a value that is not kept" : value.text
  }
}
