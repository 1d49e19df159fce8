/// The account graph: accounts, the identities they own, and every operation on who owns what.
///
/// AuthCore is the one place where linking is decided. Start here, then read ``LinkRules`` (the rules),
/// ``MergePlan`` (merging) and ``AccountStore`` (what a store promises). AuthCore imports AuthValues and
/// Foundation: no database, no network, no Lua, no cryptography.
///
/// Each operation goes the same way: verify the credential, load a snapshot, decide without side effects,
/// commit in one transaction with its audit event, and answer with a ``Receipt`` or throw an ``AuthError``.
public struct AccountGraph: Sendable {
  public let store: any AccountStore
  public let providers: ProviderRegistry
  let policies: any MergePolicyCompiler
  let services: GraphServices
  let clock: @Sendable () -> Timestamp
  let random: @Sendable () -> UInt64
  let lastSeen: LastSeen

  /// Makes a graph on a store.
  ///
  /// - Parameters:
  ///   - store: where everything is kept.
  ///   - providers: the ways to sign in.
  ///   - policies: what turns a stored merge policy into one that decides.
  ///   - services: what keeps secrets, sends messages and checks codes of authenticator apps.
  ///   - clock: the time; given in tests.
  ///   - random: 64 random bits a call, for uids and event IDs; given in tests.
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

  /// The same graph on another store.
  public func on(_ store: any AccountStore) -> AccountGraph {
    AccountGraph(
      store: store, providers: providers, policies: policies, services: services, clock: clock,
      random: random)
  }

  /// The same graph, which reports policies and hooks that failed.
  public func reporting(
    _ scriptFailed: @escaping @Sendable (AppScriptFailure) -> Void
  ) -> AccountGraph {
    var services = services
    services.scriptFailed = scriptFailed
    return with(services)
  }

  /// The same graph, which commits each session with the change that allows it; others keep none.
  public func openingSessions(by sessions: any SessionOpening) -> AccountGraph {
    var services = services
    services.sessions = sessions
    return with(services)
  }

  private func with(_ services: GraphServices) -> AccountGraph {
    AccountGraph(
      store: store, providers: providers, policies: policies, services: services, clock: clock,
      random: random, lastSeen: lastSeen)
  }

  /// A new uid: 28 letters and digits, as Firebase makes them.
  func newAccountID() -> AccountID {
    AccountID(RandomText.text(28, alphabet: RandomText.base62, random))
  }

  /// A new event ID: its time first, so that IDs sort as they came, then random letters.
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
