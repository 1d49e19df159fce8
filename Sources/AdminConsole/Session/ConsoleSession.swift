public import AuthCore
import Foundation
public import LuaPlugins
package import LuaRuntime

/// The session of one admin: the graph, scope, actor and default reason, shared by all functions of a console.
///
/// AdminConsole is the Lua console: its session, the admin API, its output and the line editor. Start here, then read
/// ``AdminState``, which installs the API. It imports AuthCore, LuaPlugins,
/// LuaRuntime, SessionTokens and TerminalOutput.
public final class ConsoleSession {
  private let stored: AccountGraph
  /// The rehearsal between `begin()` and `commit()` or `nevermind()`, if there is one.
  private(set) var rehearsal: Rehearsal?
  /// The graph that the admin API works on: in a rehearsal, one that appends each change to it.
  public var graph: AccountGraph {
    rehearsal.map { stored.rehearsing(in: $0) } ?? stored
  }
  /// The project or tenant.
  public let scope: Scope
  /// The name of the operating system's user, which the audit records.
  public let actor: String
  /// The reason of a write without a reason of its own.
  public private(set) var defaultReason: String
  /// True if every write is refused.
  public let isReadOnly: Bool
  /// The origin of the session, for the audit.
  package var client = ClientDescription()
  /// The inputs to keep in the audit; nil if they are not kept.
  var journal: ConsoleRecord?
  /// True if a rehearsal begins again after each.
  private var rehearsesAlways = false
  /// The destination and format of the output.
  let output: ConsoleOutput
  /// The keyboard and the files of the admin's machine.
  package var host: any ConsoleHost = LocalHost()
  /// The rights of the admin's token, for a session on a server; nil for an admin of this machine, who may do everything.
  package var rights: ConsoleRights?
  /// The limits of each statement; nil for those of a person at this machine.
  package var limits: LuaLimits?
  /// The provider plug-ins that can be replaced, if any.
  let plugins: PluginSet?
  /// Tells whether Ctrl-C asked the running script to stop.
  var isInterrupted: () -> Bool = { false }
  /// The zone in which a day begins, for times that are typed.
  var timeZone = TimeZone.current
  /// The browser ID of this console's sign-ins, which separates them from others.
  let browser = "console-\(UInt64.random(in: .min ... .max))"
  /// The number of writes and inputs; accounts are read again after each.
  private var changes = 0
  private let opened = ContinuousClock.now
  /// The number of topics that `help` explained since the tour showed its present step.
  var helpCount = 0
  /// The loops over accounts that are still running.
  private var loops: [WeakLoop] = []

  /// Makes a session.
  public init(
    graph: AccountGraph, scope: Scope, actor: String, defaultReason: String,
    output: ConsoleOutput, plugins: PluginSet? = nil, isReadOnly: Bool = false
  ) {
    self.isReadOnly = isReadOnly
    self.plugins = plugins
    stored = graph
    self.scope = scope
    self.actor = actor
    self.defaultReason = defaultReason
    self.output = output
  }

  /// The exit that the running script requested.
  private var exit: ScriptExit?
  /// True if the admin agreed to every further deletion of the running input.
  var agreesToDeletions = false
  /// The lines of standard input; nil if standard input is the code itself.
  public var input: (any LineSource)?

  /// Records that the running script exits.
  func leave(_ exit: ScriptExit) {
    self.exit = exit
  }

  /// Returns and clears the exit that the last script requested.
  func takeExit() -> ScriptExit? {
    defer { exit = nil }
    return exit
  }

  /// Invalidates everything that was read, so that the next read sees the changes of others.
  func refresh() {
    changes += 1
  }

  /// The point at which an account was read: the number of earlier writes and inputs, and the second.
  ///
  /// An account with an earlier reading is read again, so a script sees the changes of others within a second.
  struct Reading: Hashable {
    private let changes: Int
    private let second: Int64

    /// A reading from an unknown earlier time.
    static let outdated = Reading(changes: -1, second: 0)

    fileprivate init(changes: Int, second: Int64) {
      self.changes = changes
      self.second = second
    }
  }

  var reading: Reading {
    Reading(changes: changes, second: opened.duration(to: .now).components.seconds)
  }

  /// The reason that a person gave for the whole session; a console's default explains nothing.
  private(set) var givenReason: String?

  /// Sets the reason of writes without a reason of their own.
  ///
  /// Throws `invalid-argument` for a reason that is empty or too long.
  package func setReason(_ reason: String) throws(AuthError) {
    guard !reason.allSatisfy(\.isWhitespace) else {
      throw AuthError(
        .invalidArgument, "The reason is empty.", field: "reason",
        remedy: "Write --reason \"ticket 7\".")
    }
    try TextBounds.reason.check(reason, "A reason", field: "reason")
    givenReason = reason
    defaultReason = reason
  }

  /// The number of changes that were rehearsed and not committed.
  public var openChanges: Int { rehearsal?.count ?? 0 }

  /// Begins a rehearsal now, and again after each, so that only `commit()` writes.
  func rehearseAlways() {
    rehearsesAlways = true
    rehearsal = Rehearsal(of: stored)
  }

  /// Keeps a part of the session in the audit.
  func keep(_ record: ConsoleRecord) {
    var client = client
    client.requestID = record.id
    let caller = Caller(
      scope: scope, authority: .admin(actor), reason: defaultReason, client: client)
    let stored = stored
    do {
      try waiting { try await stored.keep(record, by: caller) }
    } catch {
      output.notice("This session could not be kept in the audit: \(error)")
    }
  }

  /// Begins a rehearsal; throws if there is one, or if nothing can be written.
  public func begin() throws {
    guard !isReadOnly else { throw AuthError.readOnly }
    guard rehearsal == nil else {
      throw AuthError(
        .operationNotAllowed, "A rehearsal has begun already.",
        remedy: "rehearsal() shows it; end it with commit() or nevermind().")
    }
    rehearsal = Rehearsal(of: stored)
    refresh()
  }

  /// Returns the rehearsal; throws if there is none.
  func openRehearsal() throws -> Rehearsal {
    guard let rehearsal else {
      throw AuthError(
        .operationNotAllowed, "There is no rehearsal.", remedy: "begin() starts one.")
    }
    return rehearsal
  }

  /// Tells whether a receipt is that of a change that is rehearsed and not committed.
  func isRehearsed(_ receipt: Receipt) -> Bool {
    rehearsal?.entries.contains { $0.receipt.id == receipt.id } ?? false
  }

  /// Takes the rights of the admin's token, as they are now.
  ///
  /// If they changed, the rehearsed changes are forgotten: they may need rights that the token no longer has.
  func take(_ rights: ConsoleRights) {
    defer { self.rights = rights }
    guard let old = self.rights, old != rights, openChanges > 0 else { return }
    output.notice("The rights of the token changed, and what was rehearsed is forgotten.")
    endRehearsal()
  }

  /// Ends the rehearsal; what it did not commit is forgotten.
  func endRehearsal() {
    rehearsal = rehearsesAlways ? Rehearsal(of: stored) : nil
    refresh()
  }

  /// Refuses a function that asks a vendor or works in several transactions, between `begin()` and its end.
  func cannotRehearse(_ function: String) throws {
    guard rehearsal == nil else { throw AuthError.notRehearsed(function) }
  }

  /// Registers a loop that has to know which accounts this session creates.
  func follow(_ loop: AccountLoop) {
    loops.removeAll { $0.loop == nil }
    loops.append(WeakLoop(loop: loop))
  }

  /// Notifies the running loops of an account that this session created.
  func made(_ id: AccountID) {
    for entry in loops { entry.loop?.leaveOut(id) }
  }

  private struct WeakLoop {
    weak var loop: AccountLoop?
  }

  func caller(_ options: WriteOptions, holding accounts: [HeldAccount] = []) -> Caller {
    var caller = Caller(
      scope: scope, authority: .admin(actor), reason: options.reason ?? defaultReason,
      dryRun: options.dryRun, client: client)
    caller.holds = accounts
    caller.isRehearsed = rehearsal != nil
    return caller
  }

  /// Blocks until the graph answers.
  ///
  /// The console runs on one thread, and Lua code cannot continue without the result.
  func wait<Result: Sendable>(
    _ body: @escaping @Sendable (AccountGraph, Scope) async throws -> Result
  ) throws -> Result {
    // Lua checks for Ctrl-C only between its instructions, and a script that mostly waits here executes few.
    guard !isInterrupted() else { throw CancellationError() }
    let (graph, scope) = (graph, scope)
    do {
      return try waiting(unless: isInterrupted) { try await body(graph, scope) }
    } catch  where isInterrupted() {
      // An error after Ctrl-C is that of the cancellation, unless the change may have been done.
      if let error = error as? AuthError, error.code == .unsureCommit { throw error }
      throw CancellationError()
    }
  }

  /// Throws if nothing can be written, unless it is a dry run.
  func requireWriting(_ options: WriteOptions) throws(AuthError) {
    guard !isReadOnly || options.dryRun else { throw AuthError.readOnly }
  }

  /// Blocks until a change is done; accounts are read again afterwards.
  ///
  /// The change is refused if one of the accounts is no longer the one that the script read.
  func change<Result: Sendable>(
    _ options: WriteOptions, holding accounts: [HeldAccount] = [],
    _ body: @escaping @Sendable (AccountGraph, Caller) async throws -> Result
  ) throws -> Result {
    try requireWriting(options)
    let caller = caller(options, holding: accounts)
    defer { refresh() }
    return try wait { graph, _ in try await body(graph, caller) }
  }
}
