import AuthCore
import AuthTesting
import BuiltInProviders
import Foundation
import HTTPClientTransport
import LuaPlugins
import Logging
import NIOCore
import ServiceLifecycle
import SessionTokens
import Synchronization
import Testing

@testable import AuthServer
@testable import IdentityToolkitService

/// A server on the loopback interface, with everything behind it that a test may inspect.
///
/// Its clock stands still until a test moves it. If `AUTHGRAPH_TEST_SERVERS` is set, that many servers share its
/// store, and requests go to them in turn.
struct ServerHome: Sendable {
  static let project = "demo-shop"
  static let adminToken = "test-admin-token"

  let mode: ServerMode
  let graph: AccountGraph
  let services: ServerServices
  let messages: CollectingMessageSender
  let clock: FixedClock
  /// `http://127.0.0.1:PORT` of the first server.
  let address: String
  /// The turn of the next request.
  let turn: Turn
  /// The couriers of each server's messages.
  let couriers: [MessageCourier]

  var scope: Scope { Scope(project: Self.project) }
  var admin: Caller { Caller(scope: scope, authority: .admin("ada"), reason: "test") }
}

/// Runs a server for the time of a test, on the default test store unless one is given.
func withServer(
  _ mode: ServerMode, store: (any AccountStore)? = nil,
  transport: any HTTPTransport = HTTPClientTransport(),
  configure: (inout ServerSetup) -> Void = { _ in },
  _ body: @escaping @Sendable (ServerHome) async throws -> Void
) async throws {
  guard let store else {
    return try await withTestStore(for: mode) { store in
      try await withServer(
        mode, store: store, transport: transport, configure: configure, body)
      await expectTraces(in: store)
    }
  }
  var setup = ServerSetup()
  configure(&setup)
  let clock = FixedClock()
  let messages = CollectingMessageSender()
  let secrets = setup.secrets
  let hasher = PasswordHasher(
    cost: PasswordHasher.Cost(memoryKiB: 64, iterations: 1, parallelism: 1))
  let providers = ProviderRegistry.builtIn(
    transport: transport, passwordHasher: hasher, clock: { clock.now },
    serviceAccounts: setup.serviceAccounts)
  var services = GraphServices(
    secrets: secrets, messages: setup.sender ?? messages, totp: HMACTOTP())
  services.quirks = mode == .emulator ? .emulator : .production
  services.hooks = setup.hooks ?? services.hooks
  services.changeHooks = LuaChangeHookCompiler()
  var settings = ServerSettings(project: ServerHome.project, publicURL: "http://localhost:9099")
  setup.settings(&settings)
  let (graphServices, ways) = (services, setup.providers(providers, mode))
  let servers = (0..<setup.servers).map { _ in
    ServerServices(
      graph: AccountGraph(
        store: store, providers: ways, policies: LuaPolicyCompiler(), services: graphServices,
        clock: { clock.now }),
      tokens: TokenService(
        style: mode == .emulator ? .unsigned : .signed(setup.signing), store: store,
        secrets: secrets,
        clock: { clock.now }),
      mode: mode, settings: settings,
      admins: setup.admins,
      telemetry: ServerTelemetry(logger: setup.logger), administration: setup.administration,
      clock: { clock.now })
  }
  var configuration = setup.http
  configuration.port = 0
  try await withThrowingTaskGroup(of: Void.self) { group in
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let running = ServiceGroup(
      services: servers.map { server in
        AuthServer(services: server, configuration: configuration, logger: setup.quiet) {
          port.yield($0.port ?? 0)
        }
      }, logger: setup.quiet)
    group.addTask { try await running.run() }
    var iterator = ports.makeAsyncIterator()
    var addresses: [String] = []
    while addresses.count < servers.count {
      guard let number = await iterator.next() else { throw ServerDidNotStart() }
      addresses.append("http://127.0.0.1:\(number)")
    }
    do {
      try await body(
        ServerHome(
          mode: mode, graph: servers[0].graph, services: servers[0], messages: messages,
          clock: clock, address: addresses[0], turn: Turn(addresses),
          couriers: servers.map(\.courier)))
    } catch {
      await running.triggerGracefulShutdown()
      throw error
    }
    await running.triggerGracefulShutdown()
    try await group.waitForAll()
    for server in servers { await server.courier.finish(within: .zero) }
  }
}

/// Expects that every event of the project explains its refusal or its authority.
private func expectTraces(in store: any AccountStore) async {
  let scope = Scope(project: ServerHome.project)
  let events = try? await store.read {
    try $0.events(about: nil, before: nil, limit: 500, in: scope)
  }
  for event in events ?? [] where event.trace.steps.isEmpty {
    Issue.record("\(event.action.rawValue) \(event.errorCode ?? "done") has no trace: \(event)")
  }
}

struct ServerDidNotStart: Error {}

/// The turn of some servers for the next request.
final class Turn: Sendable {
  private let addresses: [String]
  private let count = Atomic(0)

  init(_ addresses: [String]) {
    self.addresses = addresses
  }

  func next() -> String {
    addresses[count.add(1, ordering: .relaxed).oldValue % addresses.count]
  }
}

/// The differences of a test's server from the default.
struct ServerSetup {
  /// The number of servers; one in tests of counts that each server keeps for itself.
  var servers =
    ProcessInfo.processInfo.environment["AUTHGRAPH_TEST_SERVERS"].flatMap { Int($0) } ?? 1
  var http = HTTPConfiguration()
  var settings: (inout ServerSettings) -> Void = { _ in }
  var hooks: (any SignInHooks)?
  /// The sealing, shared by servers on one store.
  var secrets: any SecretSealing = EphemeralSealing()
  /// The sender that replaces the test's own.
  var sender: (any MessageSender)?
  /// The algorithm of production's tokens.
  ///
  /// Keys of RSA, the default, take long to make.
  var signing = SigningAlgorithm.es256
  var admins: ServerServices.AdminLookup = { token, _ in
    token == ServerHome.adminToken
      ? AdminRight(name: "ada", scopes: ["all", "server"], project: ServerHome.project) : nil
  }
  /// The service accounts whose custom tokens are accepted.
  var serviceAccounts: CustomProvider.ServiceAccountKeys?
  /// The admin API's access to the process.
  var administration = Administration()
  var logger: Logger = {
    var logger = Logger(label: "server")
    logger.logLevel = .error
    return logger
  }()
  let quiet = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
  /// Returns the providers, derived from the built-in ones.
  var providers: (ProviderRegistry, ServerMode) -> ProviderRegistry = { registry, mode in
    mode == .emulator ? .emulator(over: registry) : registry
  }
}
