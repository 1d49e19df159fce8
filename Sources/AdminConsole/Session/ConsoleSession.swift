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
  private(set) var epoch = 0

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
    epoch += 1
  }

  func caller(_ options: WriteOptions) -> Caller {
    Caller(
      scope: scope, authority: .admin(actor), reason: options.reason ?? defaultReason,
      dryRun: options.dryRun)
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
  func change<Result: Sendable>(
    _ options: WriteOptions,
    _ body: @escaping @Sendable (AccountGraph, Caller) async throws -> Result
  ) throws -> Result {
    let caller = caller(options)
    defer { refresh() }
    return try wait { graph, _ in try await body(graph, caller) }
  }
}
