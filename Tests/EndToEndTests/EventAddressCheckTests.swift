import AuthCore
import AuthTesting
import BuiltInProviders
import Testing

@testable import Commands

/// The addresses of events that `doctor` prints.
@Suite struct `The addresses of events` {
  private struct NoWeb: HTTPTransport {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      throw AuthError(.networkRequestFailed, "There is no network.")
    }
  }

  @Test func `are those of tenants too`() async throws {
    let store = MemoryStore()
    let tenant = Scope(project: "shop", tenant: "t1")
    try await store.write { writer in
      var settings = ProjectSettings()
      settings.providers["google.com"] = ProviderConfiguration(values: ["clientIDs": ["x"]])
      try writer.save(settings, for: tenant)
    }
    let configuration = Configuration(ConfigurationSource(file: nil, environment: [:]))

    let scopes = await HealthScopes.all(in: store, configuration)
    let found = await EventAddressCheck(
      store: store, scopes: scopes, providers: .builtIn(transport: NoWeb()),
      publicURL: "https://auth.example.com"
    ).run()

    #expect(scopes.contains(tenant))
    #expect(found.map(\.state) == [.ok], "\(found)")
    #expect(
      found.first?.text.hasSuffix(
        "https://auth.example.com/v1/projects/shop/tenants/t1/providers/google.com:events")
        == true, "\(found)")
  }
}
