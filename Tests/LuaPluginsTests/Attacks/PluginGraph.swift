import AuthCore
import AuthTesting
import BuiltInProviders
import LuaPlugins
import Testing

/// A graph with plug-ins, over any transport.
struct PluginGraph: Sendable {
  let clock: FixedClock
  let log = PluginLog()
  let plugins: PluginSet
  let graph: AccountGraph
  private let scope = Scope(project: "shop")

  init(
    _ texts: String..., transport: any HTTPTransport, clock: FixedClock = FixedClock(),
    beside providers: [any AuthProvider] = []
  ) throws {
    let log = log
    self.clock = clock
    plugins = PluginSet(
      host: PluginHost(transport: transport, clock: { clock.now }) { log.append($0) })
    for (number, text) in texts.enumerated() {
      try plugins.load(PluginSource(name: "plugin-\(number).lua", text: text))
    }
    graph = AccountGraph(
      store: MemoryStore(), providers: ProviderRegistry(providers).adding(plugins),
      policies: LuaPolicyCompiler(), services: GraphServices(secrets: EphemeralSealing()),
      clock: { clock.now })
  }

  private var admin: Caller { Caller(scope: scope, authority: .admin("ada"), reason: "test") }

  func configure(_ id: String, _ values: [String: JSONValue]) async throws {
    _ = try await graph.configure(ProviderID(id), values: values, by: admin)
  }

  func trust(_ id: String) async throws {
    _ = try await graph.changeSettings(by: admin) { $0.trust[ProviderID(id)] = .always }
  }

  func signIn(_ id: String, _ fields: [String: String]) async throws -> SignInResult {
    let credential = try graph.providers.credential(ProviderID(id), fields)
    return try await graph.signIn(credential, by: Caller(scope: scope, authority: .anyone))
  }

  /// Makes an account with a verified address as an admin does.
  func owner(of email: String) async throws -> Account {
    var changes = ProfileChanges()
    changes.email = .set(try EmailAddress(email))
    changes.emailVerified = true
    return try await account(try await graph.create(changes, by: admin).accountID)
  }

  func account(_ id: AccountID) async throws -> Account {
    try #require(try await graph.account(id, in: scope))
  }

  func accountCount() async throws -> Int { try await graph.accountCount(in: scope) }
}

/// A plug-in with one credential of a secret `token` and the body of its `verify`.
func script(
  _ body: String, id: String = "test.example", declaring: String = ""
) -> String {
  """
  return provider {
    id = "\(id)", name = "Test", hosts = { "api.test.example" }, \(declaring)
    credentials = { token = { token = field.secret "the token" } },
    verify = function(credential, http, settings)
      \(body)
    end,
  }
  """
}
