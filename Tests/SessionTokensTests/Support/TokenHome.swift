import AuthCore
import AuthTesting
import FakeVendors
import SQLiteStore
import SessionTokens
import Testing
import TestSupport

/// The store of a test's sessions.
enum StoreKind: CaseIterable {
  case memory, sqlite

  func open() throws -> any AccountStore {
    switch self {
    case .memory: MemoryStore()
    case .sqlite: try SQLiteStore.inMemory()
    }
  }
}

/// A project with its tokens, and a clock that stands still.
struct TokenHome {
  static let project = "demo-shop"

  let store: any AccountStore
  let clock: FixedClock
  let secrets: any SecretSealing
  let tokens: TokenService
  let graph: AccountGraph

  init(
    _ style: TokenService.Style = .signed(.es256), store: any AccountStore = MemoryStore(),
    secrets: any SecretSealing = PurposeSealing(),
    clock: FixedClock = FixedClock(Timestamp(milliseconds: 1_750_000_000_700)),
    configure: (inout TokenService.Configuration) -> Void = { _ in }
  ) {
    var configuration = TokenService.Configuration()
    configure(&configuration)
    self.store = store
    self.clock = clock
    self.secrets = secrets
    tokens = TokenService(
      style: style, store: store, secrets: secrets, configuration: configuration,
      clock: { clock.now })
    var services = GraphServices()
    services.quirks = style == .unsigned ? .emulator : .production
    graph = AccountGraph(
      store: store, providers: ProviderRegistry([]), policies: NoPolicies(),
      services: services, clock: { clock.now }
    ).openingSessions(by: tokens)
  }

  /// Returns another server on the same store.
  func another(_ style: TokenService.Style? = nil) -> TokenHome {
    TokenHome(style ?? tokens.style, store: store, secrets: secrets, clock: clock)
  }

  var scope: Scope { Scope(project: Self.project) }
  var admin: Caller { Caller(scope: scope, authority: .admin("ada"), reason: "test") }

  /// Returns an account as it is after a sign-in.
  func account(
    _ uid: String = "ada", tenant: String? = nil,
    _ change: (inout Account) throws -> Void = { _ in }
  ) async throws -> Account {
    var account = Account(
      id: AccountID(uid), scope: Scope(project: Self.project, tenant: tenant),
      createdAt: clock.now)
    account.lastSignInAt = clock.now
    try change(&account)
    let new = account
    try await store.write { writer in
      if tenant != nil { try writer.save(ProjectSettings(), for: new.scope) }
      try writer.insert(new)
    }
    return account
  }

  /// Opens a new session of an account through the graph, which is the only way.
  func grant(
    _ account: Account, provider: ProviderID = .google, identity: IdentityKey? = nil,
    factor: SessionGrant.Factor? = nil, claims: JSONValue = .null, at: Timestamp? = nil
  ) async throws -> SessionGrant {
    let caller = Caller(
      scope: account.scope,
      authority: .session(
        account.id, signedInAt: at ?? clock.now, secondFactor: factor != nil))
    let wayIn = SessionContinuation.WayIn(provider, identity)
    let result = try await graph.update(
      account.id, AccountUpdate(),
      continuing: SessionContinuation(showing: factor, claims: claims) { _ in wayIn }, by: caller)
    return try #require(try result.session?.get())
  }

  func issue(
    _ account: Account, provider: ProviderID = .google, factor: SessionGrant.Factor? = nil,
    claims: JSONValue = .null
  ) async throws -> TokenService.Tokens {
    try await tokens.issue(
      try await grant(account, provider: provider, factor: factor, claims: claims), account)
  }

  func verify(_ token: String, project: String = project) async throws -> IDToken {
    try await tokens.verify(idToken: token, project: project)
  }

  /// Refreshes the session of a refresh token.
  func refresh(_ tokens: TokenService.Tokens) async throws -> TokenService.Tokens {
    let text = tokens.refreshToken.reveal()
    let (scope, session) = try await self.tokens.session(
      ofRefreshToken: text, project: Self.project)
    let caller = Caller(
      scope: scope,
      authority: .session(
        session.account, signedInAt: session.signedInAt,
        secondFactor: session.secondFactor != nil))
    let (account, grant) = try await graph.renewSession(
      provider: session.provider, identity: session.identity, showing: session.secondFactor,
      claims: session.claims, by: caller)
    return try await self.tokens.renew(session, grant, account, refreshToken: text)
  }
}

extension TokenService.Tokens {
  var claims: JSONValue { CompactToken(idToken.reveal())?.claims ?? .null }
  var header: JSONValue { CompactToken(idToken.reveal())?.headerMembers ?? .null }
}

/// Expects an error with a code.
func expect<Result>(
  _ code: AuthError.Code, at location: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Result
) async {
  do {
    _ = try await body()
    Issue.record("Nothing was refused.", sourceLocation: location)
  } catch {
    #expect((error as? AuthError)?.code == code, sourceLocation: location)
  }
}
