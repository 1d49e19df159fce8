import AuthCore
import LuaRuntime

/// The inputs of a session in the audit.
extension ConsoleSession {
  /// Prepares the session as the scope's settings of consoles want it.
  ///
  /// - Parameters:
  ///   - isInteractive: true for a person at a prompt, whose changes may have to be rehearsed.
  ///   - origin: the terminal and the address from which it is used, as far as they are known.
  ///   - id: the ID of the session in the audit.
  ///   - ask: returns the reason, if one is wanted and was not given; nil for a script.
  /// - Throws: `invalid-argument`, with the field `reason`, if a reason is missing.
  package func prepare(
    isInteractive: Bool, origin: String?, id: String = "console-\(RandomText.letters(16))",
    ask: (() throws -> String)? = nil
  ) throws {
    guard !isReadOnly else { return }
    let settings = try wait { try await $0.settings(of: $1) }.console
    if settings.asksReason && givenReason == nil {
      guard let ask else {
        throw AuthError(
          .invalidArgument, "\(scope) wants a reason of every session.", field: "reason",
          remedy:
            "Write --reason \"ticket 7\" before the code or the file, or open it with --read-only.")
      }
      try setReason(try ask())
    }
    if settings.recordsSessions { record(id: id, origin: origin) }
    if settings.rehearses && isInteractive { rehearseAlways() }
  }

  /// Keeps the inputs from now on, and names the session in the events of its writes.
  private func record(id: String, origin: String?) {
    client.requestID = id
    var record = ConsoleRecord(id: id, begunAt: .now(), origin: origin)
    keep(record)
    record.next()
    journal = record
  }

  /// Adds an input that has run.
  func note(_ code: String, failed error: LuaError? = nil, isSecret: Bool) {
    guard var record = journal else { return }
    let failure = error?.cause is ScriptExit ? nil : error
    record.append(
      ConsoleRecord.Input(
        at: .now(), text: isSecret ? nil : code, errorCode: failure.map { ErrorText($0).code }))
    if record.isFull {
      keep(record)
      record.next()
    }
    journal = record
  }

  /// Keeps the rest of the inputs, and warns of changes that were rehearsed and not committed.
  package func end() {
    if openChanges > 0 { output.notice(Self.uncommitted(openChanges)) }
    endRehearsal()
    guard var record = journal else { return }
    record.isOver = true
    keep(record)
    journal = nil
  }

  static func uncommitted(_ count: Int) -> String {
    count == 1
      ? "1 change was rehearsed and not committed; it is forgotten."
      : "\(count) changes were rehearsed and not committed; they are forgotten."
  }
}
