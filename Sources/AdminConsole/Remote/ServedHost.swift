import AuthCore
import Dispatch
import LuaRuntime
import NIOConcurrencyHelpers
import TerminalOutput

/// The admin's machine as a session on a server sees it: output and questions go into the transcript of the running
/// statement, and the client answers.
final class ServedHost: ConsoleHost {
  private struct State {
    var transcript: StatementTranscript?
    var window = TerminalProfile(isTerminal: false)
    var errorWindow = TerminalProfile(isTerminal: false)
    var lastQuestion = 0
    /// The parts of the reply to the open question, and the reply once it is complete.
    var parts: [UInt8] = []
    var reply: ConsoleReply?
    var isOpen = false
  }

  /// The size of a piece; larger ones are divided.
  private static let mostInPiece = 256 << 10

  private let interrupt: NIOLockedValueBox<LuaInterrupt?> = NIOLockedValueBox(nil)
  private let state = NIOLockedValueBox(State())
  private let isAnswered = DispatchSemaphore(value: 0)

  /// Begins a statement.
  func begin(
    _ transcript: StatementTranscript, window: TerminalProfile, errors: TerminalProfile
  ) {
    state.withLockedValue { state in
      state.transcript = transcript
      (state.window, state.errorWindow) = (window, errors)
    }
  }

  /// Sets the interrupt that ends waiting.
  func stop(by interrupt: LuaInterrupt) { self.interrupt.withLockedValue { $0 = interrupt } }

  private var isInterrupted: Bool { interrupt.withLockedValue { $0?.isRaised ?? false } }

  // MARK: Output

  func results() -> any OutputReceiving { Output(host: self, isResult: true) }
  func notices() -> any OutputReceiving { Output(host: self, isResult: false) }

  private struct Output: OutputReceiving {
    let host: ServedHost
    let isResult: Bool

    var profile: TerminalProfile {
      host.state.withLockedValue { isResult ? $0.window : $0.errorWindow }
    }

    func receive(_ piece: OutputPiece) {
      guard let transcript = host.state.withLockedValue(\.transcript) else { return }
      for part in piece.parts(of: ServedHost.mostInPiece) {
        transcript.append(
          SentPiece(part, isResult: isResult).json, size: part.size,
          unless: { host.isInterrupted })
      }
    }
  }

  // MARK: Questions

  /// Takes the reply to a question, or the part of one at an offset; throws `invalid-argument` if the question is not
  /// open.
  ///
  /// A part that was taken before changes nothing, so a client may send it again.
  func take(
    _ reply: ConsoleReply, to question: Int, at offset: Int, isLast: Bool
  ) throws(AuthError) {
    let outcome = state.withLockedValue { state -> AuthError? in
      guard state.isOpen, question == state.lastQuestion, state.reply == nil else {
        return AuthError(
          .invalidArgument, "The question \(question) is not open.", field: "question",
          remedy: "Ask for the output, and answer the question that it has.")
      }
      guard case .bytes(let bytes) = reply else {
        state.reply = reply
        return nil
      }
      guard offset >= state.parts.count else { return nil }
      guard offset == state.parts.count, offset + bytes.count <= ConsoleQuestion.mostBytes else {
        state.reply = .refused(ConsoleQuestion.tooLarge)
        return nil
      }
      state.parts += bytes
      if isLast { state.reply = .bytes(state.parts) }
      return nil
    }
    if let outcome { throw outcome }
    isAnswered.signal()
  }

  /// Asks, and blocks the session's thread until the client has answered or the statement is interrupted.
  private func ask(_ question: ConsoleQuestion, unless isStopped: () -> Bool) -> ConsoleReply? {
    let (transcript, id) = state.withLockedValue { state in
      state.lastQuestion += 1
      (state.parts, state.reply, state.isOpen) = ([], nil, true)
      return (state.transcript, state.lastQuestion)
    }
    defer { state.withLockedValue { ($0.isOpen, $0.parts) = (false, []) } }
    guard let transcript else { return nil }
    let size =
      switch question {
      case .create(_, let bytes), .write(_, let bytes, _): bytes.count * 4 / 3
      case .secret, .line, .input, .read: 0
      }
    transcript.append(question.json(id: id), size: size, unless: isStopped)
    while true {
      if let reply = state.withLockedValue(\.reply) { return reply }
      guard !isStopped(), !isInterrupted else { return nil }
      _ = isAnswered.wait(timeout: .now() + .milliseconds(100))
    }
  }

  func contents(
    of path: String, atMost limit: Int
  ) throws(InputFile.Unreadable) -> [UInt8] {
    let most = min(limit, ConsoleQuestion.mostBytes)
    switch ask(.read(path: path, limit: most), unless: { false }) {
    case .bytes(let bytes): return bytes
    case .refused(let reason): throw InputFile.Unreadable(reason: reason)
    case .done, .text, .lines: throw InputFile.Unreadable(reason: "the answer has no bytes")
    case nil: throw InputFile.Unreadable(reason: "interrupted")
    }
  }

  func create(_ path: String, _ bytes: [UInt8]) throws(AuthError) {
    try put(.create(path: path, bytes: bytes), path)
  }

  func write(_ bytes: [UInt8], to path: String, overwrite: Bool) throws(AuthError) {
    guard bytes.count <= ConsoleQuestion.mostWritten else {
      throw AuthError(
        .invalidArgument, "The file \(path) would be larger than 16 MiB.", field: "path",
        remedy: "Write fewer records at a time.")
    }
    try put(.write(path: path, bytes: bytes, overwrite: overwrite), path)
  }

  private func put(_ question: ConsoleQuestion, _ path: String) throws(AuthError) {
    guard case .refused(let reason)? = ask(question, unless: { false }) else { return }
    throw AuthError(
      .invalidArgument, "The file \(path) was not written: \(reason)", field: "path",
      remedy: "Choose another name.")
  }

  func secret(_ question: String, unless isInterrupted: () -> Bool) throws -> Secret<String> {
    Secret(try text(.secret(question), unless: isInterrupted))
  }

  func answer(_ question: String, unless isInterrupted: () -> Bool) throws -> String {
    try text(.line(question), unless: isInterrupted)
  }

  private func text(
    _ question: ConsoleQuestion, unless isInterrupted: () -> Bool
  ) throws -> String {
    switch ask(question, unless: isInterrupted) {
    case .text(let text): return text
    case .refused(let reason):
      throw AuthError(.operationNotAllowed, reason, remedy: "Run it at a terminal.")
    case .done, .bytes, .lines:
      throw AuthError(.invalidArgument, "The answer has no text.", field: "text")
    case nil: throw CancellationError()
    }
  }

  /// Returns the next lines of the client's standard input, and whether it ended after them; nil after an interrupt.
  func lines(unless isInterrupted: () -> Bool) throws(AuthError) -> (lines: [String], isEnd: Bool)?
  {
    switch ask(.input, unless: isInterrupted) {
    case .lines(let lines, let isEnd): return (lines, isEnd)
    case .refused(let reason):
      throw AuthError(.operationNotAllowed, reason, remedy: "Pipe the lines into authgraph.")
    case .done, .text, .bytes:
      throw AuthError(.invalidArgument, "The answer has no lines.", field: "lines")
    case nil: return nil
    }
  }

  func interruptible<Value>(_ interrupt: LuaInterrupt, _ body: () -> Value) -> Value { body() }
}

/// The standard input of a client, line by line.
final class ServedLines: LineSource {
  private let host: ServedHost
  private var lines: ArraySlice<String> = []
  private var isEnd = false

  init(_ host: ServedHost) {
    self.host = host
  }

  func next(unless isInterrupted: () -> Bool) throws(AuthError) -> String?? {
    while lines.isEmpty {
      guard !isEnd else { return .some(nil) }
      guard let (more, isLast) = try host.lines(unless: isInterrupted) else { return nil }
      (lines, isEnd) = (more[...], isLast)
    }
    return .some(lines.popFirst())
  }
}
