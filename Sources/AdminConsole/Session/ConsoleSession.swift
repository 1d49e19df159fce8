public import AuthCore
public import LuaPlugins

/// One admin at work: the graph, whose scope, by whom and why; shared by everything a console offers.
///
/// AdminConsole is the Lua console: its session, the admin API, what it prints and the line editor. Start
/// here, then read ``AdminState``, which installs the API. It imports AuthCore, LuaPlugins and LuaRuntime.
public final class ConsoleSession {
  public let graph: AccountGraph
  public let scope: Scope
  /// The name of the operating system's user, which the audit keeps.
  public let actor: String
  /// The reason of a write that gives none of its own.
  public let defaultReason: String
  /// Where text goes and how wide it may be.
  let output: ConsoleOutput
  /// The provider plug-ins that can be replaced; nil where there are none.
  let plugins: PluginSet?
  /// Whether Ctrl-C asked the running script to stop.
  var isInterrupted: () -> Bool = { false }
  /// Tells this console's browser sign-ins from those of others.
  let browser = "console-\(UInt64.random(in: .min ... .max))"
  /// Counts writes and inputs, so that an account is read again after each.
  private var changes = 0
  private let opened = ContinuousClock.now
  /// The loops over accounts that have not come to their end.
  private var loops: [WeakLoop] = []

  public init(
    graph: AccountGraph, scope: Scope, actor: String, defaultReason: String,
    output: ConsoleOutput, plugins: PluginSet? = nil
  ) {
    self.plugins = plugins
    self.graph = graph
    self.scope = scope
    self.actor = actor
    self.defaultReason = defaultReason
    self.output = output
  }

  /// What a script that asked to leave ends with.
  private var exit: ScriptExit?
  /// The lines of standard input; nil if that is the code itself.
  public var input: InputLines?

  /// Notes that the running script leaves.
  func leave(_ exit: ScriptExit) {
    self.exit = exit
  }

  /// The exit that the script which just ended asked for.
  func takeExit() -> ScriptExit? {
    defer { exit = nil }
    return exit
  }

  /// Forgets what was read, so that the next look sees what others wrote.
  func refresh() {
    changes += 1
  }

  /// When an account was read: after which write or input, and in which second.
  ///
  /// A later reading may differ. The second bounds for how long a script does not see what others wrote.
  struct Reading: Hashable {
    private let changes: Int
    private let second: Int64

    /// A reading of before, at an unknown moment.
    static let outdated = Reading(changes: -1, second: 0)

    fileprivate init(changes: Int, second: Int64) {
      self.changes = changes
      self.second = second
    }
  }

  var reading: Reading {
    Reading(changes: changes, second: opened.duration(to: .now).components.seconds)
  }

  /// Lets a loop know which accounts this session makes while it runs.
  func follow(_ loop: AccountLoop) {
    loops.removeAll { $0.loop == nil }
    loops.append(WeakLoop(loop: loop))
  }

  /// Tells the running loops of an account that this session made.
  func made(_ id: AccountID) {
    for entry in loops { entry.loop?.leaveOut(id) }
  }

  private struct WeakLoop {
    weak var loop: AccountLoop?
  }

  func caller(_ options: WriteOptions, holding accounts: [HeldAccount] = []) -> Caller {
    var caller = Caller(
      scope: scope, authority: .admin(actor), reason: options.reason ?? defaultReason,
      dryRun: options.dryRun)
    caller.holds = accounts
    return caller
  }

  /// Waits for the graph: the console is one conversation on one thread, and Lua code cannot go on
  /// without the answer.
  func wait<Result: Sendable>(
    _ body: @escaping @Sendable (AccountGraph, Scope) async throws -> Result
  ) throws -> Result {
    // Between calls Lua itself looks; a script that does little else than call would hardly be stopped.
    guard !isInterrupted() else { throw CancellationError() }
    let (graph, scope) = (graph, scope)
    return try waiting { try await body(graph, scope) }
  }

  /// Waits for a change; accounts are read again afterwards.
  ///
  /// It is refused if one of the accounts is not what the script read any more.
  func change<Result: Sendable>(
    _ options: WriteOptions, holding accounts: [HeldAccount] = [],
    _ body: @escaping @Sendable (AccountGraph, Caller) async throws -> Result
  ) throws -> Result {
    let caller = caller(options, holding: accounts)
    defer { refresh() }
    return try wait { graph, _ in try await body(graph, caller) }
  }
}
