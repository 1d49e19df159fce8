package import AuthCore
package import LuaRuntime

/// Runs one decision of a policy line by line.
///
/// The file runs in the same sealed sandbox as in a decision, and nothing is carried out. The clocks of its limits stand
/// still while it waits for a command.
package final class PolicyDebugger {
  /// The person or script that gives commands.
  package struct Console {
    /// Returns the next command; nil if there are no more, so that the decision runs to its end.
    package let ask: () throws -> String?
    /// Shows a text of one or more lines.
    package let show: (String) -> Void
    /// True if the decision has to end.
    package let isInterrupted: () -> Bool

    /// Makes a console.
    package init(
      ask: @escaping () throws -> String?, show: @escaping (String) -> Void,
      isInterrupted: @escaping () -> Bool = { false }
    ) {
      (self.ask, self.show, self.isInterrupted) = (ask, show, isInterrupted)
    }
  }

  private let script: PolicyScript
  private let talk: DebuggerTalk
  private let now: Timestamp

  /// Compiles a policy to be debugged; throws `invalid-policy` with the line at fault.
  package init(
    _ source: PolicySource, at now: Timestamp = .now(), console: Console
  ) throws(AuthError) {
    self.now = now
    talk = DebuggerTalk(source, lines: try PolicyCoverage.codeLines(of: source), console: console)
    script = try PolicyScript(source, at: now, tracing: talk.tracing)
  }

  /// The conflict of an example, by its number from 1; throws `invalid-argument` if there is none.
  package func conflict(ofExample number: Int) throws(AuthError) -> DebuggedConflict {
    let examples = script.declaration.examples
    guard (1...max(1, examples.count)).contains(number), !examples.isEmpty else {
      throw AuthError(
        .invalidArgument,
        "The policy has \(examples.count) examples, and none is number \(number).",
        field: "conflict", remedy: "Name an example of the file, or give a conflict as a table.")
    }
    return try conflict(examples[number - 1])
  }

  /// The conflict of an example, by its name; nil if no example has the name.
  package func conflict(ofExample name: String) throws(AuthError) -> DebuggedConflict? {
    let found = script.declaration.examples.first { $0["name"].stringValue == name }
    guard let found else { return nil }
    return try conflict(found)
  }

  /// The conflict that a table describes as an example does, with or without `expect`; throws `invalid-argument` for an
  /// unknown name or a wrong value.
  package func conflict(_ table: LuaTable) throws(AuthError) -> DebuggedConflict {
    DebuggedConflict(
      try LuaMergePolicy.conflict(
        ofExample: table, askedOf: script.declaration.triggers, at: now))
  }

  /// Decides a conflict with a pause before the first line of `decide`; throws what the console throws.
  ///
  /// If the policy fails, the result says why.
  package func run(_ debugged: DebuggedConflict) throws -> DebuggedDecision {
    var (answer, failure): (String?, String?)
    do throws(AuthError) {
      answer = try script.decide(debugged.conflict).summary(of: debugged.conflict)
    } catch {
      if let reason = talk.failure { throw reason }
      failure = talk.isLeft ? nil : error.message
    }
    return DebuggedDecision(
      answer: answer, failure: failure, log: script.takeLog().map(\.description))
  }
}
