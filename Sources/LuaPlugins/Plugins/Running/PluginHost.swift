public import AuthCore
import BuiltInProviders

/// The environment of plug-ins: the network, the caches of keys and discovery documents, the log, and their limits.
public struct PluginHost: Sendable {
  let transport: any HTTPTransport
  let keys: KeyCache
  let discovery: DiscoveryCache
  let clock: @Sendable () -> Timestamp
  let limits: PluginLimits
  let randomSeed: @Sendable () -> UInt64
  let log: @Sendable (PluginLogRecord) -> Void
  let rewritten: @Sendable (_ asked: String, _ sent: String) -> Void

  /// Makes a host with its own caches, to be shared by all plug-ins of a process.
  ///
  /// - Parameters:
  ///   - transport: sends the requests to vendors.
  ///   - clock: decides which keys are fresh, and how long old versions are kept.
  ///   - limits: the limits of one sign-in.
  ///   - log: takes the lines that plug-ins log, and reports about plug-ins; called from any thread.
  ///   - rewritten: takes each address that a server stands in for, and the one requested in its place.
  ///   - randomSeed: the seed of `math.random` for each sign-in; tests pass their own.
  public init(
    transport: any HTTPTransport, clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
    limits: PluginLimits = PluginLimits(),
    log: @escaping @Sendable (PluginLogRecord) -> Void = { _ in },
    rewritten: @escaping @Sendable (_ asked: String, _ sent: String) -> Void = { _, _ in },
    randomSeed: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
  ) {
    self.transport = transport
    self.clock = clock
    self.limits = limits
    self.randomSeed = randomSeed
    self.log = log
    self.rewritten = rewritten
    keys = KeyCache(transport: transport, clock: clock)
    discovery = DiscoveryCache(transport: transport, clock: clock)
  }
}
