public import AuthCore
import BuiltInProviders

/// What plug-ins run on: the network, the caches of keys and discovery documents, the log, and their limits.
public struct PluginHost: Sendable {
  let transport: any HTTPTransport
  let keys: KeyCache
  let discovery: DiscoveryCache
  let clock: @Sendable () -> Timestamp
  let limits: PluginLimits
  let log: @Sendable (PluginLogRecord) -> Void
  let rewritten: @Sendable (_ asked: String, _ sent: String) -> Void

  /// Makes a host with caches of its own, to be shared by all plug-ins of a process.
  ///
  /// - Parameters:
  ///   - transport: the way to vendors.
  ///   - clock: tells which keys are fresh, and how long old versions are kept.
  ///   - limits: what one sign-in may use.
  ///   - log: takes what plug-ins log and what is reported about them; called from any thread.
  ///   - rewritten: takes each address that a server stands in for, and the one that is asked in its place.
  public init(
    transport: any HTTPTransport, clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
    limits: PluginLimits = PluginLimits(),
    log: @escaping @Sendable (PluginLogRecord) -> Void = { _ in },
    rewritten: @escaping @Sendable (_ asked: String, _ sent: String) -> Void = { _, _ in }
  ) {
    self.transport = transport
    self.clock = clock
    self.limits = limits
    self.log = log
    self.rewritten = rewritten
    keys = KeyCache(transport: transport, clock: clock)
    discovery = DiscoveryCache(transport: transport, clock: clock)
  }
}

/// What one sign-in through a plug-in may use.
public struct PluginLimits: Sendable, Hashable {
  /// How much CPU time each of its functions may take; other sign-ins of the same plug-in wait for it.
  public var cpuTime: Duration = .milliseconds(30)
  /// How many instructions each of its functions may execute.
  public var instructions = 5_000_000
  /// How many bytes its script may hold.
  public var memory = 16 << 20
  /// How long it may take in all, with every wait for the vendor.
  public var time: Duration = .seconds(20)
  /// How long one request may take.
  public var requestTime: Duration = .seconds(10)
  /// How many requests it may make.
  public var requests = 10
  /// How many bytes of an answer are read.
  public var answerBytes = 256 << 10
  /// How many lines it may log, each cut at 500 characters.
  public var logLines = 20

  /// Takes the usual limits.
  public init() {}
}

/// One line about a plug-in: what it logged, or what is reported of it.
public struct PluginLogRecord: Sendable, Hashable {
  public enum Level: String, Sendable {
    case info, warn, error
  }

  public let provider: ProviderID
  public let level: Level
  /// Free of the sign-in's secrets.
  public let message: String
  /// The file and the line, where they are known.
  public let place: String?

  public init(_ provider: ProviderID, _ level: Level, _ message: String, place: String? = nil) {
    self.provider = provider
    self.level = level
    self.message = message
    self.place = place
  }
}
