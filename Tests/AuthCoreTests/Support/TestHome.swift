import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import Synchronization
import TestSupport

/// A graph on a memory store with a fixed clock, two providers with configurable claims, and passwords.
struct TestHome {
  let store: any AccountStore
  let clock = FixedClock(Timestamp(milliseconds: 1_700_000_000_000))
  let graph: AccountGraph
  let messages = CollectingMessageSender()
  let totp = HMACTOTP()
  let scope = Scope(project: "test")

  static let fake = ProviderID("fake.example")
  static let other = ProviderID("other.example")

  init(
    store: any AccountStore = MemoryStore(), policies: [any MergePolicy] = [], seed: UInt64 = 7,
    secrets: any SecretSealing = EphemeralSealing(), more: [any AuthProvider] = [],
    behavior: EmulatorQuirks = .production, hooks: (any SignInHooks)? = nil,
    changeHooks: (any ChangeHookCompiler)? = nil
  ) {
    self.store = store
    let clock = clock
    let hasher = PasswordHasher(
      cost: PasswordHasher.Cost(memoryKiB: 64, iterations: 1, parallelism: 1))
    var services = GraphServices(
      secrets: secrets, messages: messages, totp: totp, hooks: hooks)
    services.quirks = behavior
    services.changeHooks = changeHooks ?? services.changeHooks
    let random = Mutex(SeededGenerator(seed: seed))
    graph = AccountGraph(
      store: store,
      providers: ProviderRegistry(
        [
          FakeProvider(id: Self.fake), FakeProvider(id: Self.other), AnonymousProvider(),
          PasswordProvider(hasher: hasher), PhoneProvider(), EmailLinkProvider(),
        ] + more),
      policies: SwiftPolicies(policies),
      services: services,
      clock: { clock.now },
      random: { random.withLock { $0.next() } })
  }

  var admin: Caller { Caller(scope: scope, authority: .admin("ada"), reason: "test") }
  var anyone: Caller { Caller(scope: scope, authority: .anyone) }

  /// Returns the caller of an account's session that has just begun.
  func session(_ id: AccountID, signedInAt: Timestamp? = nil, secondFactor: Bool = false) -> Caller
  {
    Caller(
      scope: scope,
      authority: .session(id, signedInAt: signedInAt ?? clock.now, secondFactor: secondFactor))
  }

  func credential(
    _ subject: String, email: String? = nil, verified: String? = nil, provider: ProviderID = fake,
    name: String? = nil
  ) throws -> Credential {
    var fields = ["subject": subject]
    fields["email"] = email
    fields["emailVerified"] = verified
    fields["displayName"] = name
    return try graph.providers.credential(provider, fields)
  }

  func password(_ email: String, _ password: String) throws -> Credential {
    try graph.providers.credential(.password, ["email": email, "password": password])
  }

  func signIn(_ credential: Credential) async throws -> SignInResult {
    try await graph.signIn(credential, by: anyone)
  }

  /// Trusts a provider for every domain.
  func trust(_ provider: ProviderID) async throws {
    _ = try await graph.changeSettings(by: admin) { $0.trust[provider] = .always }
  }

  func use(_ policy: any MergePolicy) async throws {
    let source = PolicySource(name: policy.name, text: policy.name)
    _ = try await graph.changeSettings(by: admin) { $0.mergePolicy = source }
  }

  func account(_ id: AccountID) async throws -> Account {
    try await graph.account(id, in: scope).unwrapped("account \(id)")
  }

  func update(_ id: AccountID, _ change: (inout ProfileChanges) throws -> Void) async throws {
    var changes = ProfileChanges()
    try change(&changes)
    _ = try await graph.update(id, changes, by: admin)
  }

  /// Returns all accounts of the store, to compare before and after.
  func everything() async throws -> [Account] {
    try await graph.accounts(limit: 100_000, in: scope)
  }
}

/// Merge policies written in Swift, found by name.
struct SwiftPolicies: MergePolicyCompiler {
  let policies: [String: any MergePolicy]

  init(_ policies: [any MergePolicy]) {
    self.policies = Dictionary(uniqueKeysWithValues: policies.map { ($0.name, $0) })
  }

  func known(_ source: PolicySource) -> (any MergePolicy)? { policies[source.name] }

  /// The letters of the text as hexadecimal digits: tests compare texts, and need no hash.
  func digest(of source: PolicySource) -> String {
    source.text.utf8.map { String($0 | 0x80, radix: 16) }.joined()
  }

  func policy(_ source: PolicySource) throws(AuthError) -> any MergePolicy {
    guard let policy = known(source) else {
      throw AuthError(.invalidPolicy, "There is no policy \(source.name).")
    }
    return policy
  }
}

/// A policy that consists of a closure.
struct ClosurePolicy: MergePolicy {
  var name = "closure"
  var triggers: Set<AuthError.Code> = [.credentialAlreadyInUse, .emailAlreadyInUse]
  var answersUnproven = false
  let answer: @Sendable (MergeConflict) throws -> MergeAnswer

  func decide(_ conflict: MergeConflict) throws -> MergeAnswer { try answer(conflict) }
}
