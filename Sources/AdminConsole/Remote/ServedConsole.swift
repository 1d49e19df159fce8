import AuthCore
import LuaRuntime
import NIOConcurrencyHelpers
import TerminalOutput

/// A session on a server: a Lua state with a thread of its own, of one admin in one scope.
final class ServedConsole: Sendable {
  private struct State {
    /// The number of the last statement, begun or void.
    var statement = 0
    var transcript: StatementTranscript?
    var lastUsed = ContinuousClock.now
    var interrupt: LuaInterrupt?
  }

  let id: String
  let admin: ConsoleAdmin
  /// True if it was opened with a rehearsal.
  let isRehearsing: Bool
  private let thread: ConsoleThread
  private let host: ServedHost
  private let state = NIOLockedValueBox(State())

  /// Opens a session, and waits until it is ready.
  init(
    id: String, _ admin: ConsoleAdmin, _ opening: ConsoleOpening, _ make: SessionMaker
  ) async throws {
    self.id = id
    self.admin = admin
    let host = ServedHost()
    self.host = host
    let outcome = NIOLockedValueBox<CheckedContinuation<LuaInterrupt, any Error>?>(nil)
    @Sendable func give(_ result: Result<LuaInterrupt, any Error>) {
      outcome.withLockedValue { $0.take() }?.resume(with: result)
    }
    let isRehearsing = NIOLockedValueBox(false)
    var thread: ConsoleThread?
    let interrupt = try await withCheckedThrowingContinuation { continuation in
      outcome.withLockedValue { $0 = continuation }
      let started = ConsoleThread(
        { try make.state(of: admin, id: id, opening, on: host) }, failed: { give(.failure($0)) })
      started.run { state in
        isRehearsing.withLockedValue { $0 = state.rehearsedCount != nil }
        give(.success(state.state.interrupt))
      }
      thread = started
    }
    guard let thread else { throw CancellationError() }
    self.thread = thread
    self.isRehearsing = isRehearsing.withLockedValue(\.self)
    host.stop(by: interrupt)
    state.withLockedValue { $0.interrupt = interrupt }
  }

  /// The time since the last request, and since the last question for output while a statement runs.
  var idle: Duration {
    let (used, transcript) = state.withLockedValue { ($0.lastUsed, $0.transcript) }
    let idle = ContinuousClock.now - used
    return transcript.map { min(idle, $0.unasked) } ?? idle
  }

  func touch() { state.withLockedValue { $0.lastUsed = .now } }

  /// The ID under which the audit has what a statement did.
  func requestID(of statement: Int) -> String { "\(id)-\(statement)" }

  /// Begins a statement.
  ///
  /// Throws `invalid-argument` for a number that was used, and `operation-not-allowed` while another statement runs.
  func begin(
    _ statement: ConsoleStatement, number: Int, in window: ConsoleWindow, by admin: ConsoleAdmin
  ) throws(AuthError) -> StatementTranscript {
    let transcript = StatementTranscript()
    let refusal = state.withLockedValue { state -> AuthError? in
      guard number > state.statement else {
        return AuthError(
          .invalidArgument, "The number \(number) of a statement was used.", field: "statement",
          remedy: "Count on from \(state.statement + 1). A statement never runs twice.")
      }
      guard state.transcript?.isOver != false else {
        return AuthError(
          .operationNotAllowed, "A statement of this session is still running.",
          remedy: "Read its output to the end, or interrupt it.")
      }
      (state.statement, state.transcript) = (number, transcript)
      return nil
    }
    if let refusal { throw refusal }
    var client = admin.client
    client.requestID = requestID(of: number)
    client.isRecorded = true
    let (host, described) = (host, client)
    let isTaken = thread.run { state in
      let session = state.session
      session.client = described
      session.timeZone = window.zone
      session.output.look.take(window.zone)
      host.begin(transcript, window: window.results, errors: window.notices)
      session.take(ConsoleRights(admin.scopes))
      var end = state.run(statement)
      end.rehearsedCount = state.rehearsedCount
      transcript.finish(end.json)
      // An interrupt that came too late does not stop the next statement.
      state.state.interrupt.reset()
    }
    if !isTaken { transcript.finish(StatementEnd(isInterrupted: true).json) }
    return transcript
  }

  /// Returns the transcript of a statement; nil if it was not begun, in which case it never will be.
  ///
  /// Throws `invalid-argument` for an earlier statement, whose output is gone.
  func transcript(of number: Int) throws(AuthError) -> StatementTranscript? {
    let (transcript, isPast) = state.withLockedValue { state in
      if number > state.statement { (state.statement, state.transcript) = (number, nil) }
      return (state.transcript, number < state.statement)
    }
    guard !isPast else {
      throw AuthError(
        .invalidArgument, "The output of the statement \(number) is not kept.", field: "statement",
        remedy: "Ask for that of the last statement.")
    }
    return transcript
  }

  func take(
    _ reply: ConsoleReply, to question: Int, at offset: Int, isLast: Bool
  ) throws(AuthError) {
    try host.take(reply, to: question, at: offset, isLast: isLast)
  }

  /// Interrupts the running statement, if one runs.
  func interrupt() {
    let interrupt = state.withLockedValue { state in
      state.transcript?.isOver == false ? state.interrupt : nil
    }
    interrupt?.interrupt()
  }

  /// Returns what completes a line; nothing while a statement runs.
  func candidates(_ line: String, _ cursor: Int) async -> (start: Int, candidates: [String]) {
    await ask(or: (cursor, [])) { $0.candidates(line, cursor) }
  }

  /// Tells whether code is incomplete.
  func isIncomplete(_ code: String) async -> Bool {
    await ask(or: false) { $0.isIncomplete(code) }
  }

  private func ask<Value: Sendable>(
    or other: Value, _ body: @escaping @Sendable (AdminState) -> Value
  ) async -> Value {
    guard state.withLockedValue({ $0.transcript?.isOver ?? true }) else { return other }
    return await withCheckedContinuation { continuation in
      if !thread.run({ continuation.resume(returning: body($0)) }) {
        continuation.resume(returning: other)
      }
    }
  }

  /// Ends the session, and interrupts a running statement.
  func end() {
    interrupt()
    thread.end()
  }

  /// Waits until a session that was ended has done its last work.
  func ended() async { await thread.ended() }
}
