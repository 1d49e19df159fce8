public import AuthCore
public import SessionTokens

/// What the handlers of requests work with.
public struct ServerServices: Sendable {
  public let graph: AccountGraph
  public let tokens: TokenService
  public let mode: ServerMode
  public let settings: ServerSettings
  /// What an admin's bearer token of a project allows; nil for one that nobody knows.
  public let admins: AdminLookup
  public let clock: @Sendable () -> Timestamp
  /// Says whether a request for a code to a phone comes from the app; nil where anybody may ask.
  public let appVerifier: (any AppVerifying)?
  /// Is told of what the outside sees only as an internal error.
  public let faults: @Sendable (_ error: any Error, _ operation: String) -> Void
  let scopes: KnownScopes

  public typealias AdminLookup =
    @Sendable (_ token: String, _ project: String) async throws -> AdminRight?

  public init(
    graph: AccountGraph, tokens: TokenService, mode: ServerMode, settings: ServerSettings,
    admins: @escaping AdminLookup = { _, _ in nil },
    faults: @escaping @Sendable (any Error, String) -> Void = { _, _ in },
    appVerifier: (any AppVerifying)? = nil,
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) {
    self.admins = admins
    self.faults = faults
    self.appVerifier = appVerifier
    scopes = KnownScopes(graph: graph, mode: mode)
    self.graph = graph
    self.tokens = tokens
    self.mode = mode
    self.settings = settings
    self.clock = clock
  }

  func noteFault(_ error: any Error, _ operation: String) { faults(error, operation) }
}

/// What an admin chooses for the server, as far as handlers need it.
public struct ServerSettings: Sendable, Hashable {
  /// The project of requests that name none.
  public var project: String
  /// Further projects that are served; the emulator serves all.
  public var projects: Set<String> = []
  /// The project's number, as Firebase has one.
  public var projectNumber = "12345"
  /// The API keys that clients may name, by project; empty takes every key for the default project.
  public var apiKeys: [String: String] = [:]
  /// The address under which people reach the server, without a slash at its end.
  ///
  /// Links in messages and redirects begin with it, and never with what a request says.
  public var publicURL: String

  public init(project: String, publicURL: String) {
    self.project = project
    self.publicURL = publicURL
  }
}
