import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import Foundation
import HTTPClientTransport
import LuaPlugins
import PluginKit
import Testing
import TestSupport

/// A plug-in in a graph, set up with the printed settings of its played vendor.
struct PlayedPlugin {
  let declaration: PluginDeclaration
  let vendor: ScriptedIdentityProvider
  private let graph: AccountGraph
  private let transport = HTTPClientTransport()
  private let scope = Scope(project: "shop")
  private let back = "https://app.example/back"

  /// Loads a plug-in and starts its vendor.
  init(_ source: PluginSource, people: [FakePerson]? = nil) async throws {
    let plugins = PluginSet(host: PluginHost(transport: transport))
    _ = try plugins.load(source)
    declaration = try LuaPlugin.provider(source, host: PluginHost(transport: transport)).declaration
    var script = IdentityScript()
    if let people { script.people = people }
    try script.play(declaration, of: source)
    vendor = try await ScriptedIdentityProvider.start(script)
    graph = AccountGraph(
      store: MemoryStore(), providers: ProviderRegistry([]).adding(plugins),
      policies: NoPolicies(), services: GraphServices(secrets: EphemeralSealing()))
  }

  /// Starts the vendor of a plug-in that ships.
  static func shipped(
    _ name: String, people: [FakePerson]? = nil
  ) async throws -> PlayedPlugin {
    try await PlayedPlugin(
      PluginSource(path: "\(FaultyFile.plugins)/\(name).lua"), people: people)
  }

  func stop() async throws {
    await vendor.stop()
    try await transport.shutdown()
  }

  /// Sets up the provider as the printed line does.
  func configure() async throws {
    let secret = Set(declaration.settings.filter { $0.type == .secret }.map(\.name))
    var values: [String: JSONValue] = [:]
    var secrets: [String: Secret<String>] = [:]
    for (name, value) in vendor.overview.settings {
      if secret.contains(name) {
        secrets[name] = Secret(value.stringValue ?? "")
      } else {
        values[name] = value
      }
    }
    let admin = Caller(scope: scope, authority: .admin("ada"), reason: "test")
    _ = try await graph.configure(declaration.id, values: values, secrets: secrets, by: admin)
  }

  /// Signs in by way of a browser that the vendor sends back at once.
  func signIn(as person: String) async throws -> Account {
    let callback = try await callback(as: person)
    let anyone = Caller(scope: scope, authority: .anyone)
    let credential = try await graph.finishAuthorization(
      declaration.id, callback: callback, redirectURI: back, session: "browser", by: anyone
    ).credential
    return try await graph.signIn(credential, by: anyone).account
  }

  /// The parameters with which the browser comes back.
  func callback(as person: String) async throws -> [String: String] {
    let anyone = Caller(scope: scope, authority: .anyone)
    let url = try await graph.beginAuthorization(
      declaration.id, redirectURI: back, session: "browser", by: anyone
    ).url
    let parts = try #require(URLComponents(string: url))
    let query = (parts.percentEncodedQuery.map { "\($0)&" } ?? "") + "person=\(person)"
    let request = VendorRequest("GET", "\(parts.percentEncodedPath)?\(query)")
    guard let answer = vendor.endpoints.answer(request) else {
      throw Failed(description: "the vendor has no page \(parts.percentEncodedPath)")
    }
    guard
      let place = answer.headers.first(where: { $0.name.lowercased() == "location" })?.value
    else {
      throw Failed(description: "the page is \(String(decoding: answer.body, as: UTF8.self))")
    }
    return try #require(URLText.query(of: place))
  }
}
