import AuthCore
import Foundation
import LuaPlugins
import LuaRuntime
import TerminalOutput

/// The proof of a policy: a table of the properties, then each finding with its smallest case.
struct PolicyProofView: ProvingView {
  let proof: PolicyProof

  static let typeName = "policyProof"
  static let fields = [
    "policy", "file", "cases", "notAsked", "isCut", "seconds", "isSafe", "findings",
  ]

  var lua: LuaTable {
    LuaTable(fields: [
      "policy": .string(proof.policy), "file": .string(proof.file),
      "cases": .integer(Int64(proof.cases)), "notAsked": .integer(Int64(proof.notAsked)),
      "isCut": .bool(proof.isCut), "seconds": .number(proof.seconds),
      "isSafe": .bool(proof.faults.isEmpty),
      "findings": .table(LuaTable(array: proof.findings.map { .table($0.lua) })),
    ])
  }

  var shortText: String {
    proof.faults.isEmpty
      ? "proof of \(proof.policy): no fault"
      : "proof of \(proof.policy): faults (\(proof.faults.count))"
  }

  func painted(for profile: TerminalProfile) -> PaintedText {
    var table = TextTable(
      columns: ["property", TextTable.Column("cases", alignment: .trailing), "result"])
    for property in PolicyProperty.allCases {
      let found = proof.findings.filter { $0.property == property }
      let first = found.first { $0.isFault } ?? found.first
      let count = first?.cases ?? proof.cases
      table.append([
        Cell(property.rawValue), Cell(count.formatted(ConsoleNumbers.style)), first.verdict,
      ])
    }
    var lines = [PaintedText(line: summary), table.painted(for: profile)]
    for finding in proof.findings {
      let verdict = Optional(finding).verdict
      lines.append("")
      lines.append(
        PaintedText(line: verdict.text, style: verdict.style)
          + PaintedText(line: "  \(finding.property.rawValue), \(finding.pair)"))
      lines.append(Prose(finding.text).painted(for: profile))
      lines.append(PaintedText(finding.example, style: .muted))
    }
    return lines.joined(separator: "\n")
  }

  private var summary: String {
    let cases = proof.cases.formatted(ConsoleNumbers.style)
    let cut = proof.isCut ? ", ended early because its limits stopped it" : ""
    let notAsked = proof.notAsked.formatted(ConsoleNumbers.style)
    return "\(proof.policy), \(proof.file): \(cases) cases in \(proof.seconds.inSeconds)\(cut); "
      + "\(notAsked) that it is not asked about"
  }
}

extension PolicyFinding {
  fileprivate var lua: LuaTable {
    LuaTable(fields: [
      "property": .string(property.rawValue), "isFault": .bool(isFault), "text": .string(text),
      "pair": .string(pair), "cases": .integer(Int64(cases)), "example": .string(example),
    ])
  }
}

extension PolicyFinding? {
  fileprivate var verdict: Cell {
    switch self?.isFault {
    case nil: Cell("holds", style: .good)
    case false?: Cell("remark", style: .notice)
    case true?: Cell("FAULT", style: .bad)
    }
  }
}

/// The differences between two versions of a policy.
struct PolicyComparisonView: ProvingView {
  let first: String
  let second: String
  let comparison: PolicyComparison

  static let typeName = "policyComparison"
  static let fields = ["first", "second", "cases", "seconds", "differences"]

  var lua: LuaTable {
    LuaTable(fields: [
      "first": .string(first), "second": .string(second),
      "cases": .integer(Int64(comparison.cases)), "seconds": .number(comparison.seconds),
      "differences": .table(LuaTable(array: comparison.differences.map { .table($0.lua) })),
    ])
  }

  var shortText: String { "comparison of \(first) and \(second)" }

  func painted(for profile: TerminalProfile) -> PaintedText {
    let cases = comparison.cases.formatted(ConsoleNumbers.style)
    var lines = [
      PaintedText(
        line: "\(first) and \(second): \(cases) cases in \(comparison.seconds.inSeconds)")
    ]
    guard !comparison.differences.isEmpty else {
      return lines.joined() + "\n" + "They answer every case alike."
    }
    var table = TextTable(
      columns: [
        TextTable.Column("cases", alignment: .trailing), "before", "after", "the smallest case",
      ], overflow: .wrap)
    for difference in comparison.differences {
      table.append([
        Cell(difference.cases.formatted(ConsoleNumbers.style)), Cell(difference.before),
        Cell(difference.after, style: .notice), Cell(difference.pair),
      ])
    }
    lines.append(table.painted(for: profile))
    for difference in comparison.differences {
      lines.append(PaintedText("\n\(difference.example)", style: .muted))
    }
    return lines.joined(separator: "\n")
  }
}

extension PolicyComparison.Difference {
  fileprivate var lua: LuaTable {
    LuaTable(fields: [
      "before": .string(before), "after": .string(after), "cases": .integer(Int64(cases)),
      "pair": .string(pair), "example": .string(example),
    ])
  }
}

private enum ConsoleNumbers {
  static let style = IntegerFormatStyle<Int>.number.locale(Locale(identifier: "en_US"))
}

extension Double {
  fileprivate var inSeconds: String {
    let style = FloatingPointFormatStyle<Double>.number.precision(.fractionLength(1))
    return "\(formatted(style.locale(Locale(identifier: "en_US")))) s"
  }
}
