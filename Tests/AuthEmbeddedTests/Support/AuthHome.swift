import AuthClient
import AuthCore
import AuthEmbedded
import AuthServer
import AuthTesting
import BuiltInProviders
import Foundation
import HTTPClientTransport
import IdentityToolkitService
import Logging
import NIOCore
import SQLiteStore
import ServiceLifecycle
import SessionTokens

/// A client and the AuthGraph behind it, with everything that a test may inspect.
///
/// The clock of both stands still until a test moves it.
struct AuthHome: Sendable {
  static let project = "demo-shop"

  let backend: Backend
  /// The client under test.
  let auth: Auth
  /// Every request of every client of this home.
  let traffic: Traffic
  let services: ServerServices
  let messages: CollectingMessageSender
  let clock: FixedClock
  let vendors: Vendors?
  /// The server's port; nil in the same process.
  let port: Int?

  var graph: AccountGraph { services.graph }
  var admin: Caller {
    Caller(scope: Scope(project: Self.project), authority: .admin("ada"), reason: "test")
  }

  /// Returns a further client of the same server: another device, or the app after a restart.
  func another(
    storage: any SessionStorage = MemorySessionStorage(), apiKey: String = "test-key"
  ) -> Auth {
    Self.auth(traffic, clock: clock, storage: storage, apiKey: apiKey)
  }

  /// Advances the time of the server and of the client.
  func pass(seconds: Int64) { clock.advance(seconds: seconds) }

  var now: Date { Self.date(clock) }

  fileprivate static func auth(
    _ backend: any AuthBackend, clock: FixedClock, storage: any SessionStorage,
    apiKey: String
  ) -> Auth {
    Auth(
      backend: backend, apiKey: apiKey, storage: storage,
      clock: AuthClock(now: { date(clock) }, sleep: { try await clock.sleep(for: $0) }))
  }

  private static func date(_ clock: FixedClock) -> Date {
    Date(timeIntervalSince1970: Double(clock.now.milliseconds) / 1000)
  }
}

/// The differences of a home from the default.
struct HomeOptions {
  var service: (inout ServiceOptions, FixedClock) -> Void = { _, _ in }
  var settings: @Sendable (inout ProjectSettings) -> Void = { _ in }
}

/// Runs a client and the AuthGraph behind it for the duration of a test.
///
/// Production trusts Google's addresses and tells who has an account, like the emulator, so that one test fits both.
/// The differences have tests of their own.
func withAuth(
  _ backend: Backend, _ configure: (inout HomeOptions) -> Void = { _ in },
  _ body: @escaping @Sendable (AuthHome) async throws -> Void
) async throws {
  var setup = HomeOptions()
  configure(&setup)
  await Room.shared.enter()
  defer { Room.shared.leave() }
  let (clock, messages) = (FixedClock(), CollectingMessageSender())
  var options = ServiceOptions(project: AuthHome.project)
  options.mode = backend.mode
  options.messages = messages
  options.passwordCost = PasswordHasher.Cost(memoryKiB: 64, iterations: 1, parallelism: 1)
  options.settings.rateLimits = .none
  options.signing = .es256
  options.clock = { clock.now }
  setup.service(&options, clock)
  let services = ServerServices(
    store: try SQLiteStore.inMemory(), secrets: EphemeralSealing(),
    transport: HTTPClientTransport(), options: options)
  let vendors = backend.isEmulator ? nil : try await Vendors(clock)
  let settings = setup.settings
  let run: @Sendable (any AuthBackend, Int?) async throws -> Void = { carrier, port in
    let traffic = Traffic(carrier, services.courier)
    let home = AuthHome(
      backend: backend,
      auth: AuthHome.auth(
        traffic, clock: clock, storage: MemorySessionStorage(), apiKey: "test-key"),
      traffic: traffic,
      services: services, messages: messages, clock: clock, vendors: vendors,
      port: port)
    try await home.setUp(settings)
    try await body(home)
  }
  do {
    if backend.isRemote {
      try await withServer(services, run)
    } else {
      try await run(EmbeddedBackend(services: services), nil)
    }
  } catch {
    await vendors?.stop()
    throw error
  }
  await vendors?.stop()
}

/// Runs the services on a socket of the loopback interface.
private func withServer(
  _ services: ServerServices,
  _ body: @escaping @Sendable (any AuthBackend, Int?) async throws -> Void
) async throws {
  let quiet = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
  var configuration = HTTPConfiguration()
  configuration.port = 0
  let (ports, port) = AsyncStream.makeStream(of: Int.self)
  let running = ServiceGroup(
    services: [
      AuthServer(services: services, configuration: configuration, logger: quiet) {
        port.yield($0.port ?? 0)
      }
    ], logger: quiet)
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await running.run() }
    var iterator = ports.makeAsyncIterator()
    guard let number = await iterator.next() else { throw ServerDidNotStart() }
    do {
      try await body(HTTPBackend(emulatorHost: "127.0.0.1", port: number), number)
    } catch {
      await running.triggerGracefulShutdown()
      throw error
    }
    await running.triggerGracefulShutdown()
    try await group.waitForAll()
  }
}

private struct ServerDidNotStart: Error {}
