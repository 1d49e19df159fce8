public import AuthCore
import Logging
public import SessionTokens
import NIOConcurrencyHelpers

/// The services that request handlers use.
public struct ServerServices: Sendable {
  /// The graph that makes every decision and change.
  public let graph: AccountGraph
  /// The tokens of sessions and their keys.
  public let tokens: TokenService
  /// The mode: production or the emulator.
  public let mode: ServerMode
  let behavior: any ServiceBehavior
  /// The admin's settings, which may be replaced while the server runs.
  public let live: LiveSettings
  /// Returns the right of an admin's bearer token, or nil for an unknown one.
  public let admins: AdminLookup
  /// The current time.
  public let clock: @Sendable () -> Timestamp
  /// The check that a request for a phone code comes from the app; nil if any client may request one.
  public let appVerifier: (any AppVerifying)?
  /// The log and the metrics.
  public let telemetry: ServerTelemetry
  /// The parts of the process that the administration uses.
  public let administration: Administration
  /// Sends messages after the answers to their requests.
  public let courier: MessageCourier
  let limiter = RateLimiter()
  let scopes: KnownScopes

  /// Looks up a bearer token in the served projects, in order.
  public typealias AdminLookup =
    @Sendable (_ token: String, _ projects: [String]) async throws -> AdminRight?

  /// Makes services of their parts.
  ///
  /// Most callers use ``ServiceOptions`` instead.
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
    let live = LiveSettings(settings)
    let graph = graph.reporting(telemetry.failed).openingSessions(by: tokens)
      .limitingCodes { [behavior] in behavior.rateLimits(live.current).codes }
    courier = MessageCourier(
      graph, report: telemetry.undelivered,
      storeReport: { telemetry.fault($0, in: "sending messages") })
    scopes = KnownScopes(graph: graph, behavior: behavior)
    self.graph = graph
    self.tokens = tokens
    self.mode = mode
    self.live = live
    self.clock = clock
  }

  package var settings: ServerSettings { live.current }

  /// The limits that requests count against.
  var limits: RequestLimits {
    RequestLimits(limits: behavior.rateLimits(settings), limiter: limiter)
  }
}

/// The current settings, shared by all handlers.
public final class LiveSettings: Sendable {
  private let settings: NIOLockedValueBox<ServerSettings>

  package init(_ settings: ServerSettings) {
    self.settings = NIOLockedValueBox(settings)
  }

  /// The settings as they are now.
  public var current: ServerSettings { settings.withLockedValue(\.self) }

  /// Replaces the settings, from the next request on.
  public func replace(with settings: ServerSettings) {
    self.settings.withLockedValue { $0 = settings }
  }
}

/// The settings that an admin chooses and handlers use.
public struct ServerSettings: Sendable, Hashable {
  /// The project of requests that name none.
  public var project: String
  /// Further projects that are served; the emulator serves all.
  public var projects: Set<String> = []
  /// The emulator's answer to requests for other projects than these.
  public var singleProjectMode = SingleProjectMode.warn
  /// The project's number, as in Firebase.
  public var projectNumber = "12345"
  /// The API keys that clients may use, with their projects; if empty, every key means the default project.
  public var apiKeys: [String: String] = [:]
  /// The address at which people reach the server, without a trailing slash.
  ///
  /// Links in messages and redirects begin with it, and never with a part of a request.
  public var publicURL: String

  /// The rate limits; the emulator has none.
  public var rateLimits = RateLimits()
  /// Networks whose `X-Forwarded-For` is trusted, as addresses or prefixes such as `10.0.0.0/8`.
  public var trustedProxies: [String] = [] {
    didSet { trustedNetworks = trustedProxies.compactMap(NetworkPrefix.init) }
  }
  package private(set) var trustedNetworks: [NetworkPrefix] = []
  /// The callers that may read `/metrics`.
  ///
  /// Nil allows everyone if only this machine can reach the server, and no one otherwise.
  public var metrics: MetricsAccess?
  /// The origins whose scripts may call the server; empty for all, as in Firebase.
  public var allowedOrigins: Set<String> = []

  /// Makes settings with the default values for everything else.
  public init(project: String, publicURL: String) {
    self.project = project
    self.publicURL = publicURL
  }

  /// Returns the ID of a project, given its ID or its number.
  func projectID(of name: String) -> String { name == projectNumber ? project : name }

  func serves(_ project: String) -> Bool { project == self.project || projects.contains(project) }

  /// Returns every served project, beginning with the named one and the default one.
  func served(first name: String?) -> [String] {
    let first = name.map(projectID).flatMap { serves($0) ? $0 : nil } ?? project
    return [first] + projects.union([project]).subtracting([first]).sorted()
  }
}
