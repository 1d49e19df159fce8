public import AuthClient
public import AuthCore
import AuthEmbedded
public import AuthTesting
import BuiltInProviders
public import FakeVendors
public import Foundation
public import IdentityToolkitService

/// An app's accounts for a test: client, server, clock, mailbox and vendors, all in the test's process.
///
/// ```swift
/// let kit = try await AuthTestKit()
/// let user = try await kit.auth.createUser(withEmail: "ada@example.com", password: "correct horse").user
/// try await user.sendEmailVerification()
/// try await kit.auth.applyActionCode(try kit.actionCode(to: "ada@example.com"))
/// ```
///
/// It needs no file, no account at a vendor, and no network: Google, Facebook and an OpenID provider are played on
/// loopback, with real protocols and signatures. The clock of the client and of the server stands still until
/// ``pass(seconds:)``. The project has the settings of a new one; passwords are hashed at the lowest cost, and there are
/// no limits of rate.
public struct AuthTestKit: Sendable {
  /// The client of the app under test.
  public let auth: Auth
  /// The connection of every client of the kit, which can be cut.
  public let connection: TestConnection
  /// The server's services, for tests of a server's code.
  public let services: ServerServices
  /// The mailbox of all messages, to addresses and to numbers.
  public let mailbox: CollectingMessageSender
  /// The clock of the client and of the server.
  public let clock: FixedClock
  /// The player of Google.
  public let googlePlayer: FakeGoogle
  /// The player of Facebook.
  public let facebookPlayer: FakeFacebook
  /// The player of the OpenID provider `oidc.work`.
  public let openIDPlayer: FakeOIDC

  /// Starts the kit.
  ///
  /// - Parameters:
  ///   - project: The project of all accounts.
  ///   - store: The store; a new one in memory by default.
  ///   - storage: The storage of the signed-in user between runs; in memory by default.
  ///   - configure: Changes the options of the server, such as its hooks or plug-ins.
  /// - Throws: The errors of a socket or of the store, which do not happen in memory.
  public init(
    project: String = "demo-test", store: any AccountStore = MemoryStore(),
    storage: any SessionStorage = MemorySessionStorage(),
    configure: (inout ServiceOptions) throws -> Void = { _ in }
  ) async throws {
    let (clock, mailbox) = (FixedClock(), CollectingMessageSender())
    var options = ServiceOptions(project: project)
    options.messages = mailbox
    options.clock = { clock.now }
    options.signing = .es256
    options.passwordCost = PasswordHasher.Cost(memoryKiB: 64, iterations: 1, parallelism: 1)
    options.settings.rateLimits = .none
    try configure(&options)
    let backend = EmbeddedBackend(store: store, secrets: .ephemeral, options: options)
    services = backend.services
    connection = TestConnection(backend)
    self.clock = clock
    self.mailbox = mailbox
    googlePlayer = try await .start(.init(clock: { clock.now }))
    facebookPlayer = try await .start(.init(clock: { clock.now }))
    openIDPlayer = try await .start(.init(clock: { clock.now }))
    auth = Self.client(connection, clock, storage)
    try await registerProviders()
  }

  /// The account graph, by which an admin reads and changes accounts.
  public var graph: AccountGraph { services.graph }

  /// An admin of the project, for ``graph``.
  public var admin: Caller {
    Caller(
      scope: Scope(project: services.settings.project), authority: .admin("test"), reason: "test")
  }

  /// Returns a further client of the same server: another device, or the app after a restart with its storage.
  public func client(storage: any SessionStorage = MemorySessionStorage()) -> Auth {
    Self.client(connection, clock, storage)
  }

  /// Moves the clock of the client and of the server, so that tokens, codes and recent sign-ins expire.
  public func pass(seconds: Int64) { clock.advance(seconds: seconds) }

  /// The time of ``clock``.
  public var now: Date { Self.date(clock) }

  /// Changes the project's settings as an admin.
  public func changeSettings(
    _ change: @escaping @Sendable (inout ProjectSettings) -> Void
  ) async throws {
    _ = try await graph.changeSettings(by: admin, change)
  }

  /// Closes the ports of the vendors' players.
  ///
  /// The release of the kit closes them as well.
  public func stop() async {
    await googlePlayer.stop()
    await facebookPlayer.stop()
    await openIDPlayer.stop()
  }

  private static func client(
    _ connection: TestConnection, _ clock: FixedClock, _ storage: any SessionStorage
  ) -> Auth {
    Auth(
      backend: connection, apiKey: "test-key", storage: storage,
      clock: AuthClock(now: { date(clock) }, sleep: { try await clock.sleep(for: $0) }))
  }

  private static func date(_ clock: FixedClock) -> Date {
    Date(timeIntervalSince1970: Double(clock.now.milliseconds) / 1000)
  }
}
