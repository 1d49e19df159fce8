import AuthCore
import AuthTesting
import BuiltInProviders
import HTTPClientTransport
import LuaPlugins
import Synchronization
import TestSupport

/// A graph with every built-in provider and a plug-in of each kind over real sockets, and their vendors.
///
/// Graph, keys and vendors share one clock, which only a test advances.
struct ProviderHome: Sendable {
  let vendors: Vendors
  let clock: FixedClock
  let messages: CollectingMessageSender
  let graph: AccountGraph
  let totp = HMACTOTP()
  let scope = Scope(project: "shop")
  private let count: Counter

  /// Makes a graph; parts that are not given are new.
  init(
    _ vendors: Vendors, _ clock: FixedClock, transport: any HTTPTransport,
    store: any AccountStore = MemoryStore(), secrets: any SecretSealing = EphemeralSealing(),
    further: [any AuthProvider] = [], seed: UInt64 = 7
  ) throws {
    self.vendors = vendors
    self.clock = clock
    let messages = CollectingMessageSender()
    self.messages = messages
    count = Counter()
    let hasher = PasswordHasher(
      cost: PasswordHasher.Cost(memoryKiB: 64, iterations: 1, parallelism: 1))
    let random = Mutex(SeededGenerator(seed: seed))
    let builtIn = ProviderRegistry.builtIn(
      transport: transport, passwordHasher: hasher, clock: { clock.now })
    let plugins = try PluginSet.examples(
      on: PluginHost(transport: transport, clock: { clock.now }))
    graph = AccountGraph(
      store: store, providers: builtIn.adding(further).adding(plugins),
      policies: NoPolicies(),
      services: GraphServices(secrets: secrets, messages: messages, totp: HMACTOTP()),
      clock: { clock.now },
      random: { random.withLock { $0.next() } })
  }

  var admin: Caller { Caller(scope: scope, authority: .admin("ada"), reason: "test") }
  var anyone: Caller { Caller(scope: scope, authority: .anyone) }

  /// The session of an account that has just signed in.
  func session(_ id: AccountID, secondFactor: Bool = false) -> Caller {
    Caller(
      scope: scope,
      authority: .session(id, signedInAt: clock.now, secondFactor: secondFactor))
  }

  /// A unique number, to make tokens and nonces differ.
  func next() -> Int { count.next() }

  func signIn(_ credential: Credential) async throws -> SignInResult {
    try await graph.signIn(credential, by: anyone)
  }

  func account(_ id: AccountID) async throws -> Account {
    try await graph.account(id, in: scope).unwrapped("account \(id)")
  }

  func accountCount() async throws -> Int { try await graph.accountCount(in: scope) }

  func newestEvent() async throws -> AuditEvent {
    try await graph.events(limit: 1, in: scope).first.unwrapped("event")
  }

  /// Trusts a provider for every domain, or to the given extent.
  func trust(_ provider: ProviderID, _ extent: TrustPolicy.Extent = .always) async throws {
    _ = try await graph.changeSettings(by: admin) { $0.trust[provider] = extent }
  }

  /// Makes an account with an address as an admin does.
  func createAccount(
    email: String?, verified: Bool, password: String? = nil
  ) async throws -> Account {
    var changes = ProfileChanges()
    if let email {
      changes.email = .set(try EmailAddress(email))
      changes.emailVerified = verified
    }
    changes.password = password.map { Secret($0) }
    return try await account(try await graph.create(changes, by: admin).accountID)
  }
}

/// Starts the vendors and a graph configured for them, and stops everything afterwards.
func withProviders(
  store: any AccountStore = MemoryStore(), secrets: any SecretSealing = EphemeralSealing(),
  further: [any AuthProvider] = [],
  through wrap: (HTTPClientTransport) -> any HTTPTransport = { $0 },
  _ body: (ProviderHome) async throws -> Void
) async throws {
  let clock = FixedClock()
  let vendors = try await Vendors.start { clock.now }
  let transport = HTTPClientTransport()
  let home = try ProviderHome(
    vendors, clock, transport: wrap(transport), store: store, secrets: secrets, further: further)
  let outcome: Result<Void, any Error>
  do {
    try await home.configureAll()
    outcome = .success(try await body(home))
  } catch {
    outcome = .failure(error)
  }
  try await transport.shutdown()
  await vendors.stop()
  try outcome.get()
}
