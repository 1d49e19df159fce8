public import AuthCore

/// Coverage as people read it.
extension PolicyCoverage {
  /// The counts and what is missing, in one line:
  /// `lines 12 of 14 (86 %), branches 7 of 8: line 9 never reached; line 11 never false`.
  public var text: String {
    var counts = "lines \(reachedLines) of \(lines.count) (\(percent) %), "
    counts +=
      unmeasured.map { "branches not measured (\($0))" }
      ?? (branches.isEmpty ? "no branches" : "branches \(reachedWays) of \(ways)")
    return gaps.isEmpty ? counts : "\(counts): \(gaps.joined(separator: "; "))"
  }

  /// The share of the lines that is reached, in percent; 100 only if all are.
  public var percent: Int {
    guard !missedLines.isEmpty else { return 100 }
    return min(99, (reachedLines * 200 + lines.count) / (lines.count * 2))
  }

  /// The lines and ways that the examples do not reach, in the order of the text.
  public var gaps: [String] {
    let missed = Set(missedLines)
    let onLines = missedLines.ranges.map { range in
      (
        line: range.lowerBound,
        text: range.count == 1
          ? "line \(range.lowerBound) never reached"
          : "lines \(range.lowerBound)-\(range.upperBound) never reached"
      )
    }
    // A branch on a line that is never reached has nothing to add.
    let onBranches = branches.filter { !missed.contains($0.line) }.compactMap { branch in
      gap(branch).map { (line: branch.line, text: $0) }
    }
    return (onLines + onBranches).enumerated().sorted { a, b in
      (a.element.line, a.offset) < (b.element.line, b.offset)
    }.map(\.element.text)
  }

  private func gap(_ branch: Branch) -> String? {
    let problem: String
    switch (branch.wasTrue, branch.wasFalse, branch.isLoop) {
    case (true, true, _): return nil
    case (false, false, true): problem = "never comes to its loop"
    case (false, false, false): problem = "never evaluated"
    case (true, false, true): problem = "never comes to the end of its loop"
    case (true, false, false): problem = "never false"
    case (false, true, true): problem = "never enters its loop"
    case (false, true, false): problem = "never true"
    }
    let isAlone = branches.count { $0.line == branch.line && !$0.isLoop } == 1
    return isAlone || branch.isLoop
      ? "line \(branch.line) \(problem)" : "line \(branch.line) \"\(branch.text)\" \(problem)"
  }

  /// The sentence for who puts a policy to use whose examples do not reach all of it; nil if they do.
  public var notice: String? {
    isComplete ? nil : "The examples of \(file) do not reach all of it: \(text)."
  }

  /// The share of lines and ways that is reached, from 0 to 1.
  public var share: Double {
    let all = lines.count + ways
    return all == 0 ? 1 : Double(reachedLines + reachedWays) / Double(all)
  }

  /// The coverage as JSON: `lines` and `branches`, each with `count`, `reached` and `missed`.
  public var json: JSONValue {
    let missed = branches.flatMap { branch in branch.missedWays.map { branch.json(missing: $0) } }
    return [
      "complete": .bool(isComplete), "text": .string(text),
      "lines": [
        "count": .integer(Int64(lines.count)), "reached": .integer(Int64(reachedLines)),
        "missed": .array(missedLines.map { .integer(Int64($0)) }),
      ],
      "branches": unmeasured != nil
        ? .null
        : [
          "count": .integer(Int64(ways)), "reached": .integer(Int64(reachedWays)),
          "missed": .array(missed),
        ],
    ]
  }
}

extension PolicyCoverage.Branch {
  fileprivate var missedWays: [Bool] { (wasTrue ? [] : [true]) + (wasFalse ? [] : [false]) }

  fileprivate func json(missing way: Bool) -> JSONValue {
    [
      "line": .integer(Int64(line)), "condition": .string(text),
      "kind": isLoop ? "loop" : "condition", "way": .bool(way),
    ]
  }
}

extension [Int] {
  /// The runs of numbers that follow one another.
  fileprivate var ranges: [ClosedRange<Int>] {
    reduce(into: []) { ranges, number in
      if let last = ranges.last, last.upperBound + 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
  }
}
