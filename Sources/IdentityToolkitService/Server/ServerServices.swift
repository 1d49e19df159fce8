public import AuthCore
import Logging
public import SessionTokens
import NIOConcurrencyHelpers

/// What the handlers of requests work with.
public struct ServerServices: Sendable {
  public let graph: AccountGraph
  public let tokens: TokenService
  public let mode: ServerMode
  let behavior: any ServiceBehavior
  /// What an admin chose; may be replaced while the server runs.
  public let live: LiveSettings
  /// What an admin's bearer token allows, and where; nil for an unknown one.
  public let admins: AdminLookup
  public let clock: @Sendable () -> Timestamp
  /// Says whether a request for a code to a phone comes from the app; nil where anybody may ask.
  public let appVerifier: (any AppVerifying)?
  public let telemetry: ServerTelemetry
  public let administration: Administration
  /// Sends messages after the answers that tell of them.
  public let courier: MessageCourier
  let limiter = RateLimiter()
  let scopes: KnownScopes

  /// Looks a bearer token up among the projects that are served, in their order.
  public typealias AdminLookup =
    @Sendable (_ token: String, _ projects: [String]) async throws -> AdminRight?

  public init(
    graph: AccountGraph, tokens: TokenService, mode: ServerMode, settings: ServerSettings,
    admins: @escaping AdminLookup = { _, _ in nil },
    telemetry: ServerTelemetry? = nil, appVerifier: (any AppVerifying)? = nil,
    administration: Administration = Administration(),
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) {
    self.admins = admins
    behavior = mode.behavior
    self.appVerifier = behavior.appVerifier(appVerifier)
    self.administration = administration
    let telemetry = telemetry ?? ServerTelemetry(logger: Logger(label: "authgraph"))
    self.telemetry = telemetry
    let graph = graph.reporting(telemetry.failed).openingSessions(by: tokens)
    courier = MessageCourier(
      graph, report: telemetry.undelivered,
      storeReport: { telemetry.fault($0, in: "sending messages") })
    scopes = KnownScopes(graph: graph, behavior: behavior)
    self.graph = graph
    self.tokens = tokens
    self.mode = mode
    live = LiveSettings(settings)
    self.clock = clock
  }

  package var settings: ServerSettings { live.current }
}

/// The settings as they are now.
public final class LiveSettings: Sendable {
  private let settings: NIOLockedValueBox<ServerSettings>

  package init(_ settings: ServerSettings) {
    self.settings = NIOLockedValueBox(settings)
  }

  public var current: ServerSettings { settings.withLockedValue(\.self) }

  /// Puts others in their place, from the next request on.
  public func replace(with settings: ServerSettings) {
    self.settings.withLockedValue { $0 = settings }
  }
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

  /// How often something may be asked; the emulator has no limits.
  public var rateLimits = RateLimits()
  /// Networks whose `X-Forwarded-For` is believed, as addresses or prefixes such as `10.0.0.0/8`.
  public var trustedProxies: [String] = [] {
    didSet { trustedNetworks = trustedProxies.compactMap(NetworkPrefix.init) }
  }
  package private(set) var trustedNetworks: [NetworkPrefix] = []
  /// Who may read `/metrics`; nil for everybody if only this machine's own programs reach the server, and nobody
  /// if others do.
  public var metrics: MetricsAccess?
  /// The origins whose scripts may call; empty for all, as Firebase does.
  public var allowedOrigins: Set<String> = []

  public init(project: String, publicURL: String) {
    self.project = project
    self.publicURL = publicURL
  }

  /// The ID of a project that is called by its ID or by its number.
  func projectID(of name: String) -> String { name == projectNumber ? project : name }

  func serves(_ project: String) -> Bool { project == self.project || projects.contains(project) }

  /// Every project that is served, beginning with a named one and the default one.
  func served(first name: String?) -> [String] {
    let first = name.map(projectID).flatMap { serves($0) ? $0 : nil } ?? project
    return [first] + projects.union([project]).subtracting([first]).sorted()
  }
}
