import AuthCore
import AuthTesting
import BuiltInProviders
import HTTPClientTransport
import LuaPlugins
import Logging
import NIOCore
import ServiceLifecycle
import SessionTokens
import Synchronization

@testable import AuthServer
@testable import IdentityToolkitService

/// A server on a socket of the loopback interface, with everything behind it that a test may look at.
///
/// Its clock stands still until a test moves it.
struct ServerHome: Sendable {
  static let project = "demo-shop"
  static let adminToken = "test-admin-token"

  let mode: ServerMode
  let graph: AccountGraph
  let services: ServerServices
  let messages: CollectingMessageSender
  let clock: FixedClock
  /// `http://127.0.0.1:PORT`.
  let address: String

  var scope: Scope { Scope(project: Self.project) }
  var admin: Caller { Caller(scope: scope, authority: .admin("ada"), reason: "test") }
}

/// Runs a server for the time of a test.
func withServer(
  _ mode: ServerMode, store: any AccountStore = MemoryStore(),
  transport: any HTTPTransport = HTTPClientTransport(),
  configure: (inout ServerSetup) -> Void = { _ in },
  _ body: @escaping @Sendable (ServerHome) async throws -> Void
) async throws {
  var setup = ServerSetup()
  configure(&setup)
  let clock = FixedClock()
  let messages = CollectingMessageSender()
  let secrets = EphemeralSealing()
  let hasher = PasswordHasher(
    cost: PasswordHasher.Cost(memoryKiB: 64, iterations: 1, parallelism: 1))
  let providers = ProviderRegistry.builtIn(
    transport: transport, passwordHasher: hasher,
    passwordParameters: { id, scope in
      let settings = try await store.read { try $0.settings(of: scope) }
      return try settings.passwordHashParameters[id].map { try PasswordHashParameters(stored: $0) }
    }, clock: { clock.now })
  var services = GraphServices(secrets: secrets, messages: messages, totp: HMACTOTP())
  services.behavior = mode == .emulator ? .emulator : .production
  services.hooks = setup.hooks ?? services.hooks
  let graph = AccountGraph(
    store: store, providers: setup.providers(providers, mode), policies: LuaPolicyCompiler(),
    services: services, clock: { clock.now })
  var settings = ServerSettings(project: ServerHome.project, publicURL: "http://localhost:9099")
  setup.settings(&settings)
  let server = ServerServices(
    graph: graph,
    tokens: TokenService(
      style: mode == .emulator ? .unsigned : .signed(setup.signing), store: store, secrets: secrets,
      clock: { clock.now }),
    mode: mode, settings: settings,
    admins: setup.admins,
    watch: ServerWatch(logger: setup.logger),
    clock: { clock.now })
  var configuration = setup.http
  configuration.port = 0
  try await withThrowingTaskGroup(of: Void.self) { group in
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let running = ServiceGroup(
      services: [
        AuthServer(services: server, configuration: configuration, logger: setup.quiet) {
          port.yield($0.port ?? 0)
        }
      ], logger: setup.quiet)
    group.addTask { try await running.run() }
    var iterator = ports.makeAsyncIterator()
    guard let number = await iterator.next() else { throw ServerDidNotStart() }
    do {
      try await body(
        ServerHome(
          mode: mode, graph: graph, services: server, messages: messages, clock: clock,
          address: "http://127.0.0.1:\(number)"))
    } catch {
      await running.triggerGracefulShutdown()
      throw error
    }
    await running.triggerGracefulShutdown()
    try await group.waitForAll()
  }
}

struct ServerDidNotStart: Error {}

/// What a test's server has otherwise than usual.
struct ServerSetup {
  var http = HTTPConfiguration()
  var settings: (inout ServerSettings) -> Void = { _ in }
  var hooks: (any SignInHooks)?
  /// What tokens of production are signed with; keys for the second one are made at once.
  var signing = SigningAlgorithm.rs256
  var admins: ServerServices.AdminLookup = { token, _ in
    token == ServerHome.adminToken ? AdminRight(name: "ada", scopes: ["all"]) : nil
  }
  var logger: Logger = {
    var logger = Logger(label: "server")
    logger.logLevel = .error
    return logger
  }()
  let quiet = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
  /// Makes the ways to sign in from the built-in ones.
  var providers: (ProviderRegistry, ServerMode) -> ProviderRegistry = { registry, mode in
    mode == .emulator ? .emulator(over: registry) : registry
  }
}
