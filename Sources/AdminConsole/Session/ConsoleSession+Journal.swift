package import AuthCore
import LuaRuntime

/// The inputs of a session in the audit.
extension ConsoleSession {
  /// Keeps the inputs from now on, and names the session in the events of its writes.
  ///
  /// - Parameter origin: the terminal and the address from which it is used, as far as they are known.
  package func record(origin: String?) {
    let number = String(UInt64.random(in: .min ... .max), radix: 16)
    let id = "console-" + String(repeating: "0", count: 16 - number.count) + number
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
    if openChanges > 0 { ConsoleOutput.warn(Self.uncommitted(openChanges)) }
    endRehearsal()
    guard var record = journal else { return }
    record.isOver = true
    keep(record)
    journal = nil
  }

  /// Throws if changes were rehearsed and not committed, which a script has forgotten.
  package func requireCommit() throws(AuthError) {
    guard openChanges > 0 else { return }
    let message = Self.uncommitted(openChanges)
    endRehearsal()
    throw AuthError(
      .operationNotAllowed, message,
      remedy: "End the script with commit(), or with nevermind() if they are not wanted.")
  }

  static func uncommitted(_ count: Int) -> String {
    count == 1
      ? "1 change was rehearsed and not committed; it is forgotten."
      : "\(count) changes were rehearsed and not committed; they are forgotten."
  }
}
