import AuthCore
import LuaPlugins
import LuaRuntime

/// `policy.debug`: one decision of a file, line by line.
extension PolicyLibrary {
  static let debugNames = ["commands"]

  func debug(_ call: LuaCall) throws -> [LuaValue] {
    let source = try source(call)
    let options = try call.options(3)
    try options.refuseUnknown(Self.debugNames)
    var commands = try commands(options)
    let session = session
    let debugger = try PolicyDebugger(
      source,
      console: PolicyDebugger.Console(
        ask: {
          if commands != nil {
            guard let next = commands?.popFirst() else { return nil }
            session.output.printed(line: Self.prompt + next)
            return next
          }
          return try Self.ask(session)
        },
        show: { text in
          for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            session.output.printed(line: String(line))
          }
        }, isInterrupted: session.isInterrupted))
    let decision = try debugger.run(try conflict(call, debugger))
    return [
      [
        "answer": .optional(decision.answer), "failure": .optional(decision.failure),
        "log": decision.log.isEmpty ? .nil : .strings(decision.log),
      ]
    ]
  }

  private static let prompt = "debug> "

  private static func ask(_ session: ConsoleSession) throws -> String {
    do {
      return try session.host.answer(prompt, unless: session.isInterrupted)
    } catch let error as AuthError where error.code == .operationNotAllowed {
      throw AuthError(
        error.code, error.message, field: "commands",
        remedy:
          "Run it at a terminal, or give the commands: { commands = { \"next\", \"locals\" } }.")
    }
  }

  private func commands(_ options: LuaTable) throws -> ArraySlice<String>? {
    guard !options["commands"].isNil else { return nil }
    let list = try options.list("commands")
    let texts = list.compactMap(\.stringValue)
    guard texts.count == list.count else {
      throw AuthError(
        .invalidArgument, "commands is a list of texts.", field: "commands",
        remedy: "Write { commands = { \"break 9\", \"continue\", \"locals\" } }.")
    }
    return texts[...]
  }

  /// The conflict that the second argument names: an example, a table like one, or a recorded decision.
  private func conflict(
    _ call: LuaCall, _ debugger: PolicyDebugger
  ) throws -> DebuggedConflict {
    switch try call.value(2) {
    case .nil: return try debugger.conflict(ofExample: 1)
    case .integer(let number): return try debugger.conflict(ofExample: Int(clamping: number))
    case .table(let table) where table["id"].isNil && table["receipt"].isNil:
      return try debugger.conflict(table)
    case .string(let name):
      if let example = try debugger.conflict(ofExample: name) { return example }
    default: break
    }
    return try recorded(try call.eventID(2))
  }

  /// The conflict of a decision that was recorded under an event.
  private func recorded(_ event: String) throws -> DebuggedConflict {
    do {
      return DebuggedConflict(try session.wait { try await $0.decision(event, in: $1) }.conflict)
    } catch let error as AuthError where error.code == .eventNotFound {
      throw AuthError(
        .eventNotFound, "No example and no recorded decision is called \"\(event)\".",
        field: "conflict",
        remedy: "Name an example of the file or its number, give a conflict as a table, or "
          + "choose one of policy.decisions().", cause: error)
    }
  }
}
