public import AuthCore
public import LuaPlugins
public import LuaRuntime
import NIOConcurrencyHelpers
public import SessionTokens
import TerminalOutput

/// The admin of a request to a console on a server.
public struct ConsoleAdmin: Sendable {
  /// The name of the token, as the audit records it.
  public let name: String
  /// The scopes of the token.
  public let scopes: Set<AdminScope>
  /// The project or tenant.
  public let scope: Scope
  /// The origin of the request.
  public let client: ClientDescription

  /// Makes the admin of a request.
  public init(name: String, scopes: Set<AdminScope>, scope: Scope, client: ClientDescription) {
    self.name = name
    self.scopes = scopes
    self.scope = scope
    self.client = client
  }

  /// Tells whether a session of one is a session of the other.
  func isSame(as other: ConsoleAdmin) -> Bool { name == other.name && scope == other.scope }
}

/// The consoles that admins have open on a server, and the operations of the protocol that is described in the article
/// on the remote console.
///
/// Every session has a bounded state of its own; what a script does in one changes nothing for the others.
public final class ServedConsoles: Sendable {
  /// An operation of the protocol.
  public enum Operation: String, Sendable {
    /// The operations, in the order of a session's life.
    case open, evaluate, output, answer, interrupt, complete, check, close
  }

  /// The outcome of an operation.
  public enum Outcome: Sendable {
    /// The operation was carried out, with this answer.
    case done(JSONValue)
    /// There is no such session of this admin, or no longer.
    case gone
    /// The statement did not arrive, and is refused from now on.
    case neverBegun
  }

  /// The bounds of all sessions together and of each.
  public struct Limits: Sendable {
    /// The maximum number of sessions.
    public var sessions = 64
    /// The maximum number of sessions of one token.
    public var sessionsOfToken = 50
    /// The bounds of each statement; the memory is that of the session.
    public var statement = LuaLimits(
      instructions: 20_000_000_000, cpuTime: .seconds(60), memory: 64 << 20,
      deadline: .seconds(3600))
    /// The time after which an unused session is closed.
    public var idle = Duration.seconds(1800)
    /// The time for which a request waits for output.
    public var wait = Duration.seconds(15)

    /// Makes the usual limits.
    public init() {}
  }

  /// The version of the protocol, which changes only if old clients can no longer be answered.
  package static let version = 1

  private let plugins: PluginSet?
  private let limits: Limits
  private let sessions = NIOLockedValueBox<[String: ServedConsole]>([:])
  /// The sessions that are being opened.
  private let opening = NIOLockedValueBox<[String: Int]>([:])

  /// Makes an empty set of consoles.
  public init(plugins: PluginSet? = nil, limits: Limits = Limits()) {
    self.plugins = plugins
    self.limits = limits
  }

  /// The number of open sessions.
  public var count: Int { sessions.withLockedValue(\.count) }

  /// Carries out an operation; `id` is the session, which only `open` has not.
  public func answer(
    _ operation: Operation, of id: String?, _ body: JSONValue, by admin: ConsoleAdmin,
    on graph: AccountGraph
  ) async throws -> Outcome {
    if operation == .open { return .done(try await open(body, by: admin, on: graph)) }
    guard let id, let console = sessions.withLockedValue({ $0[id] }),
      console.admin.isSame(as: admin)
    else { return .gone }
    console.touch()
    switch operation {
    case .open: return .gone
    case .evaluate:
      let number = try Self.number("statement", of: body)
      let transcript = try console.begin(
        try ConsoleStatement(body), number: number, in: ConsoleWindow(body["window"]), by: admin)
      return .done(await page(of: transcript, from: 0, number, console))
    case .output:
      let number = try Self.number("statement", of: body)
      guard let transcript = try console.transcript(of: number) else { return .neverBegun }
      let next = body["next"]?.count ?? 0
      return .done(await page(of: transcript, from: next, number, console))
    case .answer:
      try console.take(
        try ConsoleReply(body), to: try Self.number("question", of: body),
        at: body["offset"]?.count ?? 0, isLast: body["more"] != true)
      return .done([:])
    case .interrupt:
      console.interrupt()
      return .done([:])
    case .complete:
      let line = body["line"]?.stringValue ?? ""
      let (start, candidates) = await console.candidates(
        line, body["cursor"]?.count ?? line.utf8.count)
      return .done([
        "start": .integer(Int64(start)),
        "candidates": .array(candidates.prefix(1000).map(JSONValue.string)),
      ])
    case .check:
      let statement = try ConsoleStatement(body)
      return .done(["isIncomplete": .bool(await console.isIncomplete(statement.code))])
    case .close:
      sessions.withLockedValue { $0[id] = nil }
      console.end()
      return .done([:])
    }
  }

  /// Closes sessions that are not used, until the task is cancelled, and then all of them.
  public func run() async {
    while (try? await Task.sleep(for: .seconds(15))) != nil { closeIdle() }
    // What they keep in the audit at their end needs the store.
    for console in endAll() { await console.ended() }
  }

  /// Closes all sessions, interrupts what runs in them, and returns them.
  @discardableResult
  func endAll() -> [ServedConsole] {
    let all = sessions.withLockedValue { sessions in
      defer { sessions = [:] }
      return Array(sessions.values)
    }
    for console in all { console.end() }
    return all
  }

  private func closeIdle() {
    let idle = sessions.withLockedValue { sessions in
      let idle = sessions.filter { $0.value.idle > limits.idle }
      for id in idle.keys { sessions[id] = nil }
      return idle.values
    }
    for console in idle { console.end() }
  }

  private func open(
    _ body: JSONValue, by admin: ConsoleAdmin, on graph: AccountGraph
  ) async throws -> JSONValue {
    if let version = body["version"]?.count, version != Self.version {
      throw AuthError(
        .invalidArgument,
        "The client speaks version \(version) of the console, and this server \(Self.version).",
        field: "version", remedy: "Use an authgraph of the server's version.")
    }
    closeIdle()
    try reserve(for: admin)
    defer { opening.withLockedValue { $0[admin.name, default: 1] -= 1 } }
    let id = "console-\(RandomText.letters(16))"
    let maker = SessionMaker(graph: graph, plugins: plugins, limits: limits.statement)
    let console = try await ServedConsole(id: id, admin, ConsoleOpening(body), maker)
    sessions.withLockedValue { $0[id] = console }
    var answer: [String: JSONValue] = [
      "id": .string(id), "version": .integer(Int64(Self.version)),
      "scope": .string("\(admin.scope)"), "actor": .string(admin.name),
      "idleSeconds": .integer(limits.idle.components.seconds),
    ]
    if console.isRehearsing { answer["rehearsed"] = 0 }
    return .object(answer)
  }

  /// Counts a session that is being opened; throws `operation-not-allowed` if there are too many.
  private func reserve(for admin: ConsoleAdmin) throws(AuthError) {
    let open = sessions.withLockedValue { Array($0.values) }
    let isFull = opening.withLockedValue { opening in
      let own = open.count { $0.admin.name == admin.name } + opening[admin.name, default: 0]
      let all = open.count + opening.values.reduce(0, +)
      guard own < limits.sessionsOfToken, all < limits.sessions else { return true }
      opening[admin.name, default: 0] += 1
      return false
    }
    guard isFull else { return }
    throw AuthError(
      .operationNotAllowed, "Too many consoles are open on this server.",
      remedy: "Leave another console, or wait: an unused one is closed after "
        + "\(limits.idle.components.seconds / 60) minutes.")
  }

  private func page(
    of transcript: StatementTranscript, from next: Int, _ number: Int, _ console: ServedConsole
  ) async -> JSONValue {
    let page = await transcript.page(from: next, waiting: limits.wait)
    console.touch()
    var members: [String: JSONValue] = [
      "statement": .integer(Int64(number)), "requestID": .string(console.requestID(of: number)),
      "pieces": .array(page.pieces), "next": .integer(Int64(page.next)),
    ]
    if page.lost > 0 { members["lost"] = .integer(Int64(page.lost)) }
    if let end = page.end { members["end"] = end }
    return .object(members)
  }

  private static func number(_ name: String, of body: JSONValue) throws(AuthError) -> Int {
    guard let number = body[name]?.count, number > 0, number <= 1 << 53 else {
      throw AuthError(
        .invalidArgument, "The field \(name) is not a number above 0.", field: name,
        remedy: "Count from 1.")
    }
    return number
  }
}

/// The choices of a client when it opens a session.
package struct ConsoleOpening: Hashable, Sendable {
  /// True if results are JSON.
  package var isJSON = false
  /// True if every write is refused.
  package var isReadOnly = false
  /// True if a person types the statements.
  package var isInteractive = false
  /// The origin of the statements, such as `console`: the reason of writes if there is no other.
  package var origin = "console"
  /// The reason that the person gave for the whole session.
  package var reason: String?

  /// The choices of a script that gives no reason.
  package init() {}

  init(_ body: JSONValue) {
    isJSON = body["isJSON"] == true
    isReadOnly = body["isReadOnly"] == true
    isInteractive = body["isInteractive"] == true
    origin = body["origin"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 } ?? origin
    reason = body["reason"]?.stringValue
  }

  /// The choices as members of a request.
  var members: [String: JSONValue] {
    var members: [String: JSONValue] = ["origin": .string(origin)]
    for (name, isSet) in [
      ("isJSON", isJSON), ("isReadOnly", isReadOnly), ("isInteractive", isInteractive),
    ] where isSet { members[name] = true }
    members["reason"] = reason.map(JSONValue.string)
    return members
  }
}

/// Makes the states of sessions.
struct SessionMaker: Sendable {
  let graph: AccountGraph
  let plugins: PluginSet?
  let limits: LuaLimits

  func state(
    of admin: ConsoleAdmin, id: String, _ opening: ConsoleOpening, on host: ServedHost
  ) throws -> AdminState {
    let session = ConsoleSession(
      graph: graph, scope: admin.scope, actor: admin.name, defaultReason: opening.origin,
      output: ConsoleOutput(
        isJSON: opening.isJSON, results: TextOutput(to: host.results()),
        errors: TextOutput(to: host.notices())),
      plugins: plugins, isReadOnly: opening.isReadOnly)
    session.host = host
    session.client = admin.client
    session.rights = ConsoleRights(admin.scopes)
    session.limits = limits
    session.input = ServedLines(host)
    if let reason = opening.reason { try session.setReason(reason) }
    try session.prepare(
      isInteractive: opening.isInteractive, origin: admin.client.address, id: id)
    return try AdminState(session: session)
  }
}
