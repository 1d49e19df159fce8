import LuaRuntime
import TerminalOutput

/// The difference between two texts of a policy, by lines.
struct PolicyDiff: Drawing {
  /// One of the two texts.
  struct Side: Sendable {
    let title: String
    let text: String
  }

  /// A line with its sign: `-` for a line of the first text alone, `+` for one of the second.
  struct Line: Hashable, Sendable {
    enum Sign: String, Sendable {
      case both = " "
      case first = "-"
      case second = "+"
    }

    let sign: Sign
    let text: String
  }

  static let type = "policyDiff"
  static let fields = ["lines", "added", "removed"]
  /// The number of equal lines that are shown around a difference.
  private static let around = 3

  private let old: Side
  private let new: Side
  let lines: [Line]

  init(from old: Side, to new: Side) {
    (self.old, self.new) = (old, new)
    lines = Self.lines(from: Self.split(old.text), to: Self.split(new.text))
  }

  var object: LuaValue { .object(LuaObject(type: Self.type, value: self)) }

  private static func split(_ text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  private static func lines(from old: [String], to new: [String]) -> [Line] {
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var lines: [Line] = []
    var (first, second) = (0, 0)
    while first < old.count || second < new.count {
      if removed.contains(first) {
        lines.append(Line(sign: .first, text: old[first]))
        first += 1
      } else if inserted.contains(second) {
        lines.append(Line(sign: .second, text: new[second]))
        second += 1
      } else {
        lines.append(Line(sign: .both, text: new[second]))
        first += 1
        second += 1
      }
    }
    return lines
  }

  var lua: LuaTable {
    LuaTable(fields: [
      "lines": .strings(lines.map { $0.sign.rawValue + $0.text }),
      "added": .integer(Int64(lines.count { $0.sign == .second })),
      "removed": .integer(Int64(lines.count { $0.sign == .first })),
    ])
  }

  func painted(for profile: TerminalProfile) -> PaintedText {
    let heads =
      PaintedText(line: "--- \(old.title)", style: .bad) + "\n"
      + PaintedText(line: "+++ \(new.title)", style: .good)
    let changed = lines.indices.filter { lines[$0].sign != .both }
    guard !changed.isEmpty else { return heads + "\n" + "The texts are equal." }
    var painted = heads
    var last = -1
    for index in lines.indices where isNear(index, changed) {
      if index != last + 1 { painted = painted + "\n" + PaintedText(line: "…", style: .muted) }
      painted = painted + "\n" + Self.painted(lines[index])
      last = index
    }
    if last != lines.count - 1 { painted = painted + "\n" + PaintedText(line: "…", style: .muted) }
    return painted
  }

  private func isNear(_ index: Int, _ changed: [Int]) -> Bool {
    changed.contains { abs($0 - index) <= Self.around }
  }

  private static func painted(_ line: Line) -> PaintedText {
    let style: TextStyle =
      switch line.sign {
      case .both: .plain
      case .first: .bad
      case .second: .good
      }
    return PaintedText(line: line.sign.rawValue + line.text, style: style)
  }
}
