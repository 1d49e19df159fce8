/// The account graph: accounts, their identities, and every operation that links or merges them.
///
/// AuthCore is the only place that decides on linking. Start here, then read ``LinkRules`` (the rules), ``MergePlan``
/// (merging) and ``AccountStore`` (the promises of a store). AuthCore imports AuthValues and Foundation: no database,
/// no network, no Lua, no cryptography.
///
/// Each operation verifies the credential. In one transaction it then loads a snapshot, decides without side effects,
/// and commits the change with its audit event. It returns a ``Receipt`` or throws an ``AuthError``.
public struct AccountGraph: Sendable {
  /// The store of all accounts, settings and events.
  public let store: any AccountStore
  /// The providers that verify credentials.
  public let providers: ProviderRegistry
  let policies: any MergePolicyCompiler
  let services: GraphServices
  package let clock: @Sendable () -> Timestamp
  let random: @Sendable () -> UInt64
  let lastSeen: LastSeen

  /// Makes a graph on a store.
  ///
  /// - Parameters:
  ///   - store: the store of all accounts, settings and events.
  ///   - providers: the ways to sign in.
  ///   - policies: the compiler of stored merge policies.
  ///   - services: secrets, messages, authenticator apps and hooks.
  ///   - clock: the time; replaced in tests.
  ///   - random: 64 random bits a call, for uids and event IDs; replaced in tests.
  public init(
    store: any AccountStore, providers: ProviderRegistry, policies: any MergePolicyCompiler,
    services: GraphServices = GraphServices(),
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
    random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
  ) {
    self.init(
      store: store, providers: providers, policies: policies, services: services, clock: clock,
      random: random, lastSeen: LastSeen())
  }

  private init(
    store: any AccountStore, providers: ProviderRegistry, policies: any MergePolicyCompiler,
    services: GraphServices, clock: @escaping @Sendable () -> Timestamp,
    random: @escaping @Sendable () -> UInt64, lastSeen: LastSeen
  ) {
    self.store = store
    self.providers = providers
    self.policies = policies
    self.services = services
    self.clock = clock
    self.random = random
    self.lastSeen = lastSeen
  }

  /// Returns the same graph on another store.
  public func on(_ store: any AccountStore) -> AccountGraph {
    AccountGraph(
      store: store, providers: providers, policies: policies, services: services, clock: clock,
      random: random)
  }

  /// Returns the same graph, with a handler for policies and hooks that failed.
  public func reporting(
    _ scriptFailed: @escaping @Sendable (AppScriptFailure) -> Void
  ) -> AccountGraph {
    var services = services
    services.scriptFailed = scriptFailed
    return with(services)
  }

  /// Returns the same graph, which stores each session in the commit that allows it; others store no sessions.
  public func openingSessions(by sessions: any SessionOpening) -> AccountGraph {
    var services = services
    services.sessions = sessions
    return with(services)
  }

  /// Returns the same graph with other limits on codes and links, read for each operation.
  public func limitingCodes(by limits: @escaping @Sendable () -> CodeLimits) -> AccountGraph {
    var services = services
    services.codeLimits = limits
    return with(services)
  }

  /// Returns the same graph, whose operations are rehearsed: each is appended to a rehearsal instead of committed.
  ///
  /// Reads show what the operations leave.
  public func rehearsing(in rehearsal: Rehearsal) -> AccountGraph {
    var services = services
    services.rehearsal = rehearsal
    return with(services).on(RehearsedStore(base: store, rehearsal: rehearsal))
  }

  private func with(_ services: GraphServices) -> AccountGraph {
    AccountGraph(
      store: store, providers: providers, policies: policies, services: services, clock: clock,
      random: random, lastSeen: lastSeen)
  }

  /// Makes a uid of 28 letters and digits, as Firebase does.
  func newAccountID() -> AccountID {
    AccountID(RandomText.text(28, alphabet: RandomText.base62, random))
  }

  /// Makes an event ID: nine letters of the time, so that IDs sort by time, and seven random ones.
  func newEventID(at now: Timestamp) -> String {
    String(unsafeUninitializedCapacity: 16) { letters in
      let alphabet = RandomText.base32
      var time = UInt64(max(0, now.milliseconds))
      for place in (0..<9).reversed() {
        letters.initializeElement(at: place, to: alphabet[Int(time % 32)])
        time /= 32
      }
      RandomText.fill(
        UnsafeMutableBufferPointer(rebasing: letters[9..<16]), alphabet: alphabet, random)
      return 16
    }
  }
}
