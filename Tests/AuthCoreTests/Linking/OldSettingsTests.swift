import AuthTesting
import FakeVendors
import Synchronization
import TestSupport
import Testing

@testable import AuthCore

/// Settings that one server changes while another has cached the earlier ones.
@Suite struct `Settings that another server changed` {
  private static let app = AppProvider.name

  private let provider = AppProvider()
  private let home: TestHome
  /// The graph of another server, with a cache of its own.
  private let other: AccountGraph

  init() {
    home = TestHome(more: [provider])
    other = home.graph.on(home.store)
  }

  private func credential(of subject: String, app: String) throws -> Credential {
    try home.credential(subject, provider: Self.app, name: app)
  }

  private func setUp(_ app: String) async throws {
    _ = try await other.configure(Self.app, values: ["app": .string(app)], by: home.admin)
  }

  private func change(
    _ change: @escaping @Sendable (inout ProjectSettings) -> Void
  ) async throws {
    _ = try await other.changeSettings(by: home.admin, change)
  }

  /// An operation that takes a credential.
  enum Entrance: CaseIterable {
    case signIn, signUp, link, linkForSession, verifiedSignIn, verifiedLink
  }

  /// Performs the operation; returns the uid of the account that owns the identity afterwards.
  private func enter(
    _ entrance: Entrance, _ credential: Credential,
    afterVerifying change: () async throws -> Void = {}
  ) async throws -> AccountID {
    let graph = home.graph
    switch entrance {
    case .signIn: return try await graph.signIn(credential, by: home.anyone).account.id
    case .signUp: return try await graph.signUp(credential, by: home.anyone).account.id
    case .link:
      let (account, caller) = try await home.anonymous()
      return try await graph.link(credential, to: account.id, by: caller).accountID
    case .linkForSession:
      let (account, caller) = try await home.anonymous()
      return try await graph.linkForSession(credential, to: account.id, by: caller).account.id
    case .verifiedSignIn:
      let verified = try await graph.verify(credential, with: .lastSeen, by: home.anyone)
      try await change()
      return try await graph.signIn(verified, by: home.anyone).account.id
    case .verifiedLink:
      let (account, caller) = try await home.anonymous()
      let verified = try await graph.verify(
        credential, linkingTo: account.id, with: .lastSeen, by: caller)
      try await change()
      return try await graph.linkForSession(verified, to: account.id, by: caller).account.id
    }
  }

  @Test(arguments: Entrance.allCases)
  func `refuse a credential that only the old ones accept`(_ entrance: Entrance) async throws {
    try await setUp("old")
    _ = try await enter(entrance, credential(of: "ada", app: "old"))
    try await setUp("new")

    await expectError(.invalidCredential) {
      try await enter(entrance, credential(of: "bo", app: "old"))
    }

    let key = IdentityKey(Self.app, subject: "bo")
    #expect(try await home.store.read { try $0.account(owning: key, in: home.scope) } == nil)
  }

  @Test(arguments: Entrance.allCases)
  func `accept a credential that only the new ones accept`(_ entrance: Entrance) async throws {
    try await setUp("old")
    _ = try await enter(entrance, credential(of: "ada", app: "old"))
    try await setUp("new")

    let id = try await enter(entrance, credential(of: "bo", app: "new"))

    #expect(try await home.account(id).owns(IdentityKey(Self.app, subject: "bo")))
  }

  @Test(arguments: [Entrance.verifiedSignIn, .verifiedLink])
  func `decide about a credential that was verified before`(_ entrance: Entrance) async throws {
    try await setUp("old")
    await expectError(.invalidCredential) {
      try await enter(entrance, credential(of: "ada", app: "old")) { try await setUp("new") }
    }
    let id = try await enter(entrance, credential(of: "bo", app: "new")) { try await setUp("new ") }
    #expect(try await home.account(id).owns(IdentityKey(Self.app, subject: "bo")))
  }

  @Test(arguments: Entrance.allCases)
  func `close a provider, and open it`(_ entrance: Entrance) async throws {
    try await setUp("old")
    _ = try await enter(entrance, credential(of: "ada", app: "old"))

    try await change { $0.signIn.closedProviders = [Self.app] }
    await expectError(.operationNotAllowed) {
      try await enter(entrance, credential(of: "bo", app: "old"))
    }
    try await change { $0.signIn.closedProviders = [] }
    _ = try await enter(entrance, credential(of: "bo", app: "old"))
  }

  @Test func `ask more of a password, and less`() async throws {
    _ = try await home.graph.signUp(
      home.password("ada@example.com", "weaker"), by: home.anyone)
    try await change {
      $0.signIn.passwordPolicy.enforcement = .enforce
      $0.signIn.passwordPolicy.minimumLength = 12
    }
    await expectError(.passwordDoesNotMeetRequirements) {
      try await home.graph.signUp(home.password("bo@example.com", "weaker"), by: home.anyone)
    }
    try await change { $0.signIn.passwordPolicy.minimumLength = 6 }
    _ = try await home.graph.signUp(home.password("bo@example.com", "weaker"), by: home.anyone)
  }

  @Test func `cost a second verification only if they are the provider's`() async throws {
    try await setUp("old")
    _ = try await home.signIn(credential(of: "ada", app: "old"))
    provider.verifications.withLock { $0 = 0 }
    _ = try await home.signIn(credential(of: "ada", app: "old"))
    try await change { $0.recentLoginSeconds = 60 }
    _ = try await home.signIn(credential(of: "ada", app: "old"))
    #expect(provider.verifications.withLock { $0 } == 2)
  }

  @Test func `end in a refusal if they change each time`() async throws {
    try await setUp("old")
    let count = Mutex(0)
    provider.whileVerifying.withLock {
      $0 = {
        let next = count.withLock { count in
          count += 1
          return count
        }
        try await setUp("old" + String(repeating: " ", count: next))
      }
    }
    let before = try await home.everything()
    await expectError(.tooMuchContention) {
      try await home.signIn(credential(of: "ada", app: "old"))
    }
    #expect(try await home.everything() == before)
  }
}

/// A provider whose settings name the app that its credentials are for.
private final class AppProvider: AuthProvider {
  static let name = ProviderID("app.example")

  let id = AppProvider.name
  let verifications = Mutex(0)
  let whileVerifying = Mutex<@Sendable () async throws -> Void>({})

  var manifest: ProviderManifest {
    ProviderManifest(
      name: "App", kind: .oauth2, builders: FakeProvider(id: id).manifest.builders,
      configuration: [ConfigurationField("app", .text, required: true, "the tokens' app")])
  }

  func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    verifications.withLock { $0 += 1 }
    let app = try context.settings.required("app").filter { $0 != " " }
    try await whileVerifying.withLock { $0 }()
    guard credential["displayName"] == app else {
      throw AuthError(.invalidCredential, "The token is for another app.", step: .credential)
    }
    return try await FakeProvider(id: id).verify(credential, context)
  }
}
