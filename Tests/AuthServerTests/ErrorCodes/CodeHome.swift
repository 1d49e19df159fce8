import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import LuaPlugins
import SessionTokens
import Synchronization
import Testing
import TestSupport

/// A graph in memory whose errors have the same text in each run.
///
/// It opens no sessions, its vendors fail unless a transport is given, and its random numbers repeat.
struct CodeHome: Sendable {
  static let vendor = ProviderID("fake.example")
  static let password = "correct horse"

  let clock = FixedClock()
  let messages = CollectingMessageSender()
  let scope = Scope(project: "demo-shop")
  let plugins: PluginSet
  let tokens: TokenService
  let graph: AccountGraph

  init(transport: any HTTPTransport = BrokenVendor(status: 503)) {
    let (clock, store, secrets) = (clock, MemoryStore(), EphemeralSealing())
    plugins = PluginSet(host: PluginHost(transport: transport, clock: { clock.now }))
    tokens = TokenService(
      style: .signed(.es256), store: store, secrets: secrets, clock: { clock.now })
    let hasher = PasswordHasher(
      cost: PasswordHasher.Cost(memoryKiB: 64, iterations: 1, parallelism: 1))
    let random = Mutex(SeededGenerator(seed: 7))
    var services = GraphServices(
      secrets: secrets, messages: messages, totp: HMACTOTP(),
      hooks: LuaSignInHooks(clock: { clock.now }))
    services.changeHooks = LuaChangeHookCompiler()
    graph = AccountGraph(
      store: store,
      providers: .builtIn(transport: transport, passwordHasher: hasher, clock: { clock.now })
        .adding([FakeProvider(id: Self.vendor), ForgetfulVendor()]).adding(plugins),
      policies: LuaPolicyCompiler(), services: services,
      clock: { clock.now }, random: { random.withLock { $0.next() } })
  }

  var admin: Caller { Caller(scope: scope, authority: .admin("ada"), reason: "test") }
  var anyone: Caller { Caller(scope: scope, authority: .anyone) }

  /// Returns the caller of an account's session that has just begun.
  func session(_ id: AccountID) -> Caller {
    Caller(
      scope: scope, authority: .session(id, signedInAt: clock.now, secondFactor: false))
  }
}

/// Accounts and their credentials.
extension CodeHome {
  /// Makes an account with a password; its address is its uid at example.com.
  @discardableResult
  func person(
    _ uid: String = "ada", isVerified: Bool = true, phones: [String] = []
  ) async throws -> AccountID {
    var changes = ProfileChanges()
    changes.email = .set(try EmailAddress("\(uid)@example.com"))
    changes.emailVerified = isVerified
    changes.password = Secret(Self.password)
    let factors = try phones.map { FactorEntry(id: $0, phoneNumber: try PhoneNumber($0)) }
    _ = try await graph.create(changes, uid: AccountID(uid), factors: factors, by: admin)
    clock.advance(seconds: 60)
    return AccountID(uid)
  }

  /// Makes an account of these changes.
  @discardableResult
  func make(_ uid: String, _ change: (inout ProfileChanges) throws -> Void = { _ in }) async throws
    -> AccountID
  {
    var changes = ProfileChanges()
    try change(&changes)
    _ = try await graph.create(changes, uid: AccountID(uid), by: admin)
    return AccountID(uid)
  }

  func rename(_ id: AccountID, _ name: String) async throws {
    var changes = ProfileChanges()
    changes.displayName = .set(name)
    _ = try await graph.update(id, changes, by: admin)
  }

  func settings(_ change: @escaping @Sendable (inout ProjectSettings) -> Void) async throws {
    _ = try await graph.changeSettings(by: admin, change)
  }

  /// Asserts an identity of the honest vendor.
  func link(_ subject: String, to id: AccountID) async throws {
    _ = try await graph.assert(
      IdentityKey(Self.vendor, subject: subject), profile: IdentityProfile(), on: id, by: admin)
  }

  func credential(_ subject: String, email: String? = nil) throws -> Credential {
    var fields = ["subject": subject]
    fields["email"] = email
    if email != nil { fields["emailVerified"] = "true" }
    return try graph.providers.credential(Self.vendor, fields)
  }

  func password(
    _ email: String = "ada@example.com", _ password: String = password
  ) throws -> Credential {
    try graph.providers.credential(.password, ["email": email, "password": password])
  }

  @discardableResult
  func signIn(_ credential: Credential) async throws -> SignInResult {
    try await graph.signIn(credential, by: anyone)
  }

  func signIn(_ provider: ProviderID, _ fields: [String: String]) async throws {
    try await signIn(try graph.providers.credential(provider, fields))
  }

  /// Sends a code to a phone; returns its ID and the code, or a wrong one.
  func sentCode(isWrong: Bool = false) async throws -> [String: String] {
    let sent = try await graph.sendChallenge(
      .phone, ChallengeRequest(recipient: "+15555550123"), by: anyone)
    let right = try messages.last().unwrapped("message").proof.reveal()
    let wrong = right == "000000" ? "111111" : "000000"
    return [
      "verificationID": sent.verificationID, "verificationCode": isWrong ? wrong : right,
    ]
  }
}

/// A vendor that answers every request with one status.
struct BrokenVendor: HTTPTransport {
  let status: Int

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    HTTPResponse(status: status)
  }
}

/// A vendor that renews every identity as that of another person.
struct ForgetfulVendor: Refreshing {
  static let id = ProviderID("forgetful.example")

  var id: ProviderID { Self.id }
  var manifest: ProviderManifest {
    ProviderManifest(name: "Forgetful", kind: .custom, builders: [])
  }

  func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    VerifiedIdentity(provider: id, key: IdentityKey(id, subject: "1"))
  }

  func refresh(
    _ refreshToken: Secret<String>, of key: IdentityKey, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    VerifiedIdentity(provider: id, key: IdentityKey(id, subject: "2"))
  }
}
