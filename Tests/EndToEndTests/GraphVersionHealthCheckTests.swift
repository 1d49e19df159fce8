import AuthCore
import AuthTesting
import BuiltInProviders
import Testing

@testable import Commands

/// The diagnoses of `doctor` for the version of Facebook's Graph API.
@Suite struct `A version of the Graph API that doctor looks at` {
  let store = MemoryStore()
  let scope = Scope(project: "shop")

  private func found(
    _ values: [String: JSONValue]?, on day: String = "2026-11-27"
  ) async throws -> [Diagnosis] {
    try await store.write { writer in
      var settings = ProjectSettings()
      settings.providers["facebook.com"] = values.map { ProviderConfiguration(values: $0) }
      try writer.save(settings, for: scope)
    }
    let check = AccountHealthCheck(
      store: store, projects: [scope.project], providers: ProviderRegistry([]))
    return try await check.versions(
      in: scope, at: try #require(Timestamp(rfc3339: "\(day)T00:00:00Z")))
  }

  @Test func `one that is over is a warning with the end and a current one`() async throws {
    let found = try await found(["appID": "4711", "graphVersion": "v19.0"])

    #expect(found.map(\.state) == [.warning])
    #expect(found.first?.text.contains("2026-05-21") == true)
    #expect(found.first?.text.contains(GraphVersion.usual) == true)
  }

  @Test func `a current one, the usual one, and no Facebook are none`() async throws {
    #expect(
      try await found(["appID": "4711", "graphVersion": .string(GraphVersion.usual)]).isEmpty)
    #expect(try await found(["appID": "4711"]).isEmpty)
    #expect(try await found(nil).isEmpty)
    #expect(try await found(["graphVersion": "v19.0"], on: "2026-05-20").isEmpty)
  }
}
