import AuthCore
import Foundation
import LuaRuntime
import TerminalOutput

/// A session on a server, as the terminal of its admin sees it.
///
/// Statements, completion and layout are the server's; files, secrets, the pager and standard input are this machine's.
/// A link that breaks is tried again, and the output goes on where it ended. No statement is ever sent twice.
package final class RemoteConsole: ConsoleEngine {
  package let output: ConsoleOutput
  private let link: ConsoleLink
  private var opening: ConsoleOpening
  private let host: any ConsoleHost
  private let input: InputLines?
  /// Compiles code to see if it is complete; it runs nothing.
  private let compiler: LuaState
  private let flag = InterruptFlag()
  private var id = ""
  private var statement = 0
  /// The inputs of this session, whose words a server may use as names of files.
  private var inputs: [String] = []
  /// The parts of a result of which more follow.
  private var parts: [PaintedText] = []
  /// The scope and the actor of the session, as the server named them.
  package private(set) var scope = ""
  package private(set) var actor = ""
  package private(set) var rehearsedCount: Int?

  /// Opens a session; throws the server's refusal, or `network-request-failed`.
  ///
  /// `askReason` returns the reason of the session, if the server wants one and none was given.
  package init(
    _ link: ConsoleLink, output: ConsoleOutput, opening: ConsoleOpening,
    input: InputLines? = nil, host: any ConsoleHost = LocalHost(),
    askReason: (() throws -> String)? = nil
  ) throws {
    self.link = link
    self.output = output
    self.opening = opening
    self.opening.isJSON = output.isJSON
    self.input = input
    self.host = host
    compiler = try LuaState(profile: .console)
    do {
      try InterruptSource.routing(to: flag) { try open() }
    } catch let error as AuthError where error.field == "reason" && opening.reason == nil {
      guard let askReason else { throw error }
      self.opening.reason = try askReason()
      try InterruptSource.routing(to: flag) { try open() }
    }
  }

  /// Closes the session.
  package func close() {
    let (link, id) = (link, id)
    _ = try? waiting { await link.send("/\(id)", [:], method: .delete, timeout: .seconds(3)) }
  }

  private func open() throws(AuthError) {
    var body = opening.members
    body["version"] = .integer(Int64(ServedConsoles.version))
    switch link.wait("", body, flag, interrupted: { true }) {
    case .done(let answer):
      guard let id = answer["id"]?.stringValue else {
        throw AuthError(.networkRequestFailed, "\(link.host) opened no session.")
      }
      self.id = id
      statement = 0
      scope = answer["scope"]?.stringValue ?? ""
      actor = answer["actor"]?.stringValue ?? ""
      rehearsedCount = answer["rehearsed"]?.count
    case .refused(let error), .broken(let error): throw error
    case .gone, .neverBegun:
      throw AuthError(.operationNotAllowed, "\(link.host) has no console.")
    }
  }

  // The session forgets it when it is closed.
  package func forgetRehearsal() {}

  // A server has no tour.
  package func showTour(after error: ErrorText) {}

  package func isIncomplete(_ code: String) -> Bool { compiler.isIncomplete(code) }

  package func candidates(_ line: String, _ cursor: Int) -> (start: Int, candidates: [String]) {
    let (link, id) = (link, id)
    let outcome = try? waiting {
      await link.send(
        "/\(id):complete", ["line": .string(line), "cursor": .integer(Int64(cursor))],
        timeout: .seconds(3))
    }
    guard case .done(let answer)? = outcome, let start = answer["start"]?.count,
      (0...cursor).contains(start), case .array(let found)? = answer["candidates"]
    else { return (cursor, []) }
    // A candidate is put into the line as it is.
    let words = found.compactMap(\.stringValue).filter { word in
      !word.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
    return (start, words)
  }

  package func run(_ statement: ConsoleStatement) -> StatementEnd {
    self.statement += 1
    inputs.append(statement.code)
    parts = []
    output.look.isConversation = statement.origin == .prompt && output.isAtTerminal
    flag.lower()
    return InterruptSource.routing(to: flag) { () -> StatementEnd in
      do throws(AuthError) {
        return try end(of: statement)
      } catch {
        return StatementEnd(error: ErrorText(error), mayHoldSecret: true)
      }
    }
  }

  /// Sends a statement, and shows its output until its end.
  private func end(of statement: ConsoleStatement) throws(AuthError) -> StatementEnd {
    let number = self.statement
    var body = statement.members
    body["statement"] = .integer(Int64(number))
    body["window"] = ConsoleWindow(results: output.profile, notices: output.errors.profile).json
    var outcome = link.wait("/\(id):evaluate", body, flag, interrupted: interrupt)
    var next = 0
    var isBegun = false
    var broken: ContinuousClock.Instant?
    while true {
      switch outcome {
      case .done(let page):
        if broken != nil { output.notice("The link to \(link.host) is there again.") }
        (broken, isBegun) = (nil, true)
        next = show(page, from: next)
        if let end = page["end"].map(StatementEnd.init) {
          rehearsedCount = end.rehearsedCount
          return end
        }
      case .refused(let error):
        guard isBegun else { throw error }
        output.notice(error.message)
        throw unsure("\(id)-\(number)")
      case .gone where !isBegun && broken == nil:
        try reopen("The session on \(link.host) ended, and its variables are gone. ")
        throw AuthError(
          .operationNotAllowed, "This statement was not run. A new session is open.",
          remedy: "Set the variables again, and then run it again.")
      case .gone:
        let request = "\(id)-\(number)"
        try? reopen("The session on \(link.host) ended, and its variables are gone. ")
        throw unsure(request)
      case .neverBegun:
        throw AuthError(
          .operationNotAllowed, "The statement did not reach \(link.host), and was not run.",
          remedy: "Run it again.")
      case .broken(let error):
        let start = broken ?? .now
        if broken == nil {
          output.notice("\(error.message) Trying again; Ctrl-C gives up.")
        }
        broken = start
        let isGivenUp = flag.isRaised || ContinuousClock.now - start > link.patience
        guard !isGivenUp else {
          flag.lower()
          throw unsure("\(id)-\(number)")
        }
        Thread.sleep(forTimeInterval: 0.3)
      }
      let isBroken = broken != nil
      outcome = link.wait(
        "/\(id):output",
        ["statement": .integer(Int64(number)), "next": .integer(Int64(next))], flag
      ) {
        guard isBroken else { return interrupt() }
        // The flag is seen again when the request has ended.
        flag.raise()
        return true
      }
    }
  }

  /// Asks the server to stop the statement; returns false, because its output goes on to its end.
  private func interrupt() -> Bool {
    let (link, id) = (link, id)
    Task.detached { _ = await link.send("/\(id):interrupt", [:], timeout: .seconds(10)) }
    return false
  }

  /// Opens a new session in place of one that ended.
  private func reopen(_ message: String) throws(AuthError) {
    output.notice(message)
    inputs = []
    try open()
  }

  private func unsure(_ request: String) -> AuthError {
    AuthError(
      .unsureCommit,
      "The link to \(link.host) broke, and how far the statement got is unknown. It is not run again.",
      remedy: "Look at what it did: audit.find { request = \"\(request)\" }")
  }

  // MARK: Output and questions

  /// Shows a page and answers its questions; returns the number of the next piece.
  private func show(_ page: JSONValue, from next: Int) -> Int {
    if let lost = page["lost"]?.count, lost > 0 {
      output.notice("\(lost) parts of the output were dropped while the link was broken.")
    }
    guard case .array(let pieces)? = page["pieces"] else { return next }
    for piece in pieces {
      if let question = piece["question"] {
        answer(question)
      } else if let sent = SentPiece(piece) {
        show(sent)
      }
    }
    return page["next"]?.count ?? next + pieces.count
  }

  /// Shows a piece; a result at the prompt that is longer than the screen goes to this machine's pager.
  private func show(_ sent: SentPiece) {
    let isStopped = { [flag] in flag.isRaised }
    guard sent.isResult, output.look.isConversation, case .painted(let text) = sent.piece.content
    else {
      return output.write(sent.piece, amongResults: sent.isResult, unless: isStopped)
    }
    parts.append(text)
    guard sent.piece.endsLine else { return }
    output.show(paging: [parts.joined(separator: "")], unless: isStopped)
    parts = []
  }

  private func answer(_ json: JSONValue) {
    guard let id = json["id"]?.count else { return }
    guard let question = ConsoleQuestion(json) else {
      return send(.refused("This authgraph does not know the question."), to: id)
    }
    do {
      send(try reply(to: question), to: id)
    } catch is CancellationError {
      flag.lower()
      _ = interrupt()
    } catch let error as AuthError {
      send(
        .refused([error.message, error.remedy].compactMap(\.self).joined(separator: " ")), to: id)
    } catch {
      send(.refused("It cannot be answered."), to: id)
    }
  }

  private func reply(to question: ConsoleQuestion) throws -> ConsoleReply {
    let isInterrupted = { [flag] in flag.isRaised }
    switch question {
    case .secret(let text): return .text(try host.secret(text, unless: isInterrupted).reveal())
    case .line(let text): return .text(try host.answer(text, unless: isInterrupted))
    case .input: return try lines(unless: isInterrupted)
    case .read(let path, let limit):
      try allow(path, "read")
      do throws(InputFile.Unreadable) {
        let bytes = try host.contents(of: path, atMost: limit)
        return bytes.count > ConsoleQuestion.mostBytes
          ? .refused(ConsoleQuestion.tooLarge) : .bytes(bytes)
      } catch {
        return .refused(error.reason)
      }
    case .create(let path, let bytes):
      try allow(path, "write")
      try host.create(path, bytes)
      return .done
    case .write(let path, let bytes, let overwrite):
      try allow(path, "write")
      try host.write(bytes, to: path, overwrite: overwrite)
      return .done
    }
  }

  /// Throws `operation-not-allowed` for a file that no input names, unless the admin agrees.
  ///
  /// A server must not be able to read other files of its admins.
  private func allow(_ path: String, _ verb: String) throws {
    guard !inputs.contains(where: { $0.contains(path) }) else { return }
    let question = "\(link.host) asks to \(verb) the file \(path) here. Allow it? (yes/no) "
    if let answer = try? host.answer(question, unless: { [flag] in flag.isRaised }),
      ["y", "yes"].contains(answer.lowercased())
    {
      return
    }
    throw AuthError(
      .operationNotAllowed, "no input names it, and it was not allowed.",
      remedy: "Write the path out.")
  }

  private static let mostLines = 500

  private func lines(unless isInterrupted: () -> Bool) throws -> ConsoleReply {
    guard let input else {
      throw AuthError(
        .operationNotAllowed, "Standard input is the code itself.",
        remedy: "Give the code with -e.")
    }
    guard let first = try input.next(unless: isInterrupted) else { throw CancellationError() }
    guard let first else { return .lines([], isEnd: true) }
    var lines = [first]
    var size = first.utf8.count
    while lines.count < Self.mostLines, size < 1 << 20, let line = try input.arrived() {
      lines.append(line)
      size += line.utf8.count
    }
    return .lines(lines, isEnd: false)
  }

  /// Sends a reply; a file is sent in parts.
  private func send(_ reply: ConsoleReply, to question: Int) {
    guard case .bytes(let bytes) = reply, bytes.count > Self.mostInPart else {
      _ = send(reply.members, more: false, to: question)
      return
    }
    for start in stride(from: 0, to: bytes.count, by: Self.mostInPart) {
      let end = min(start + Self.mostInPart, bytes.count)
      var members = ConsoleReply.bytes(Array(bytes[start..<end])).members
      members["offset"] = .integer(Int64(start))
      guard send(members, more: end < bytes.count, to: question) else { return }
    }
  }

  private static let mostInPart = 2 << 20

  /// Sends a reply or a part of it, which the server takes once; returns false if it did not arrive.
  private func send(_ members: [String: JSONValue], more: Bool, to question: Int) -> Bool {
    var body = members
    body["question"] = .integer(Int64(question))
    if more { body["more"] = true }
    let start = ContinuousClock.now
    var isAgain = false
    while true {
      switch link.wait("/\(id):answer", body, flag, interrupted: interrupt) {
      case .done: return true
      // The first one arrived, and only its answer was lost.
      case .refused where isAgain: return true
      case .gone, .neverBegun: return false
      case .broken where ContinuousClock.now - start < link.patience && !flag.isRaised:
        isAgain = true
        Thread.sleep(forTimeInterval: 0.3)
      case .refused(let error), .broken(let error):
        // The statement would wait for the answer.
        output.notice("The answer did not arrive: \(error.message)")
        _ = interrupt()
        return false
      }
    }
  }
}
