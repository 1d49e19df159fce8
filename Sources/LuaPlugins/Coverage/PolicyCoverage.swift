public import AuthCore
import LuaRuntime

/// The lines and branches of a policy file that its examples reach.
///
/// A line counts if Lua has code for it; those of the examples themselves do not. A branch is each operand that can
/// decide an `if`, `elseif`, `while`, `until`, `and` or `or`, which is true or false, and each `for`, which is entered
/// and comes to its end. Both ways are told apart also if the whole statement is on one line.
public struct PolicyCoverage: Sendable, Hashable {
  /// A branch with the ways that the examples went.
  public struct Branch: Sendable, Hashable {
    /// The line on which it begins, counted from 1.
    public let line: Int
    /// The condition as it is written, or the head of a loop.
    public let text: String
    /// True for a `for`, whose ways are to be entered and to come to its end.
    public let isLoop: Bool
    /// True if an example made it true, or entered the loop.
    public let wasTrue: Bool
    /// True if an example made it false, or ended the loop.
    public let wasFalse: Bool
  }

  /// The name of the file.
  public let file: String
  /// The lines with code.
  public let lines: [Int]
  /// The lines with code that no example reaches.
  public let missedLines: [Int]
  /// The branches in the order of the text; empty if they could not be measured.
  public let branches: [Branch]
  /// Why the branches could not be measured; nil if they were.
  public let unmeasured: String?

  /// Runs the examples once more, and records what they reach; throws `invalid-policy` if the file is at fault.
  ///
  /// The runs have more time than those of a decision. `now` is the time of examples that have none.
  public static func measure(
    _ source: PolicySource, at now: Timestamp = .now()
  ) throws(AuthError) -> PolicyCoverage {
    if let branched = try? BranchedText(source.mainText) {
      let recorder = CoverageRecorder(of: source.name)
      let copy = source.replacingMain(with: branched.text)
      // Calls make a text deeper and longer, so Lua may refuse a copy of a text that is near its limits.
      if let script = try? PolicyScript(copy, at: now, tracing: recorder.tracing(branched.word)) {
        _ = LuaMergePolicy.runExamples(on: script, at: now)
        return try finish(source, recorder, branched)
      }
    }
    let recorder = CoverageRecorder(of: source.name)
    let script = try PolicyScript(source, at: now, tracing: recorder.tracing(nil))
    _ = LuaMergePolicy.runExamples(on: script, at: now)
    return try finish(source, recorder, unmeasured: "the text is too deep or unusual")
  }
}

extension PolicyCoverage {
  private static func finish(
    _ source: PolicySource, _ recorder: CoverageRecorder, _ branched: BranchedText? = nil,
    unmeasured: String? = nil
  ) throws(AuthError) -> PolicyCoverage {
    let lines = try codeLines(of: source).subtracting(branched?.linesOfExamples ?? []).sorted()
    let branches = (branched?.points ?? []).enumerated().map { offset, entry in
      Branch(
        line: entry.line, text: entry.text, isLoop: entry.point.kind == .loop,
        wasTrue: recorder.has(offset + 1, been: true),
        wasFalse: recorder.has(offset + 1, been: false))
    }
    return PolicyCoverage(
      file: source.name, lines: lines, missedLines: lines.filter { !recorder.lines.contains($0) },
      branches: branches, unmeasured: unmeasured)
  }

  /// The lines of a policy file that have code; throws `invalid-policy` if Lua cannot read it.
  static func codeLines(of source: PolicySource) throws(AuthError) -> Set<Int> {
    do {
      let state = try LuaState(profile: .policy)
      return try state.codeLines(of: try state.load(source.mainText, name: source.name))
    } catch {
      throw AuthError(
        .invalidPolicy, "The lines of \(source.name) cannot be read: \(error.message).",
        remedy: "Try it with policy.test(file).", step: .policy, cause: error)
    }
  }

  /// The number of lines that the examples reach.
  public var reachedLines: Int { lines.count - missedLines.count }
  /// The number of ways of all branches: two for each.
  public var ways: Int { branches.count * 2 }
  /// The number of ways that the examples go.
  public var reachedWays: Int {
    branches.reduce(0) { $0 + ($1.wasTrue ? 1 : 0) + ($1.wasFalse ? 1 : 0) }
  }
  /// True if the examples reach every line and go every way.
  public var isComplete: Bool {
    missedLines.isEmpty && reachedWays == ways && unmeasured == nil
  }
}
