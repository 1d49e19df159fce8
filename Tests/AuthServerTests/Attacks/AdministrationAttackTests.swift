import AuthCore
import AuthTesting
import SessionTokens
import Testing

@testable import IdentityToolkitService

/// Attacks with valid keys and tokens on operations outside of their scope.
@Suite struct `Attacks with keys and tokens of admins` {
  /// Returns a route's path, with a value in place of each name.
  private static func path(_ route: Route) -> String {
    route.pattern.replacing("{project}", with: ServerHome.project)
      .replacing("{tenant}", with: "tenant-1").replacing(/\{[a-z]+\}/, with: "oidc.x")
  }

  private static let production = Route.all.filter { $0.modes.contains(.production) }

  @Test func `an API key opens nothing that is an admin's`() async throws {
    try await withServer(.production, configure: Self.lifting) { home in
      for route in Self.production
      where route.pattern.contains("{project}") && route.access != .open {
        let reply = try await home.call(
          route.method.rawValue, "\(Self.path(route))?key=test-key", [:])
        let isRefused =
          reply.status == 401 || reply.message?.hasPrefix("INSUFFICIENT_PERMISSION") == true
        #expect(isRefused, "\(route.name): \(reply.text)")
      }
      for name in ["downloadAccount", "uploadAccount"] {
        let path = "/identitytoolkit/v3/relyingparty/\(name)?key=test-key"
        for body: JSONValue in [[:], ["targetProjectId": .string(ServerHome.project)]] {
          let reply = try await home.call("POST", path, body)
          #expect(reply.message?.hasPrefix("INSUFFICIENT_PERMISSION") == true, "\(reply.text)")
        }
      }
    }
  }

  @Test func `an admin's token does what its scopes allow and no more`() async throws {
    let scopes = AdminScope.allCases.map(\.rawValue).filter { $0 != "all" }
    try await withServer(
      .production,
      configure: { setup in
        Self.lifting(&setup)
        setup.admins = Self.named
      }
    ) { home in
      for route in Self.production where ![.open, .key, .metrics].contains(route.access) {
        for scope in scopes where !Self.right([scope]).allows(route.scope) {
          let reply = try await home.call(
            route.method.rawValue, Self.path(route), [:],
            headers: ["Authorization": "Bearer \(scope)"])
          #expect(reply.status == 403, "\(route.name) with \(scope): \(reply.text)")
        }
      }
    }
  }

  @Test func `routes of the emulator alone are not found in production`() async throws {
    try await withServer(.production) { home in
      for route in Route.all where route.modes == [.emulator] {
        let reply = try await home.call(
          route.method.rawValue, Self.path(route), [:], headers: ["Authorization": "Bearer owner"])
        #expect(reply.status == 404, "\(route.name)")
      }
      let owner = try await home.call(
        "GET", "\(home.accountsPath):batchGet", nil, headers: ["Authorization": "Bearer owner"])
      #expect(owner.status == 401)
    }
  }

  @Test func `passwords' hashes are kept from admins who may only read`() async throws {
    try await withServer(
      .production,
      configure: { $0.admins = Self.named }
    ) { home in
      let ada = try await home.openAccount()
      let calls: [(String, String, JSONValue?)] = [
        ("POST", "\(home.accountsPath):lookup", ["localId": [.string(ada.uid)]]),
        ("GET", "\(home.accountsPath):batchGet", nil),
        ("POST", "\(home.accountsPath):query", [:]),
      ]
      for (method, path, body) in calls {
        let read = try await home.call(
          method, path, body, headers: ["Authorization": "Bearer accounts:read"])
        #expect(read.text.contains("UkVEQUNURUQ="), "\(read.text)")
        let write = try await home.call(
          method, path, body, headers: ["Authorization": "Bearer accounts:write"])
        #expect(write.text.contains("passwordHash"), "\(write.text)")
        #expect(!write.text.contains("UkVEQUNURUQ="))
      }
    }
  }

  @Test func `attack 34: an API key leads to no other project`() async throws {
    try await withServer(
      .production,
      configure: {
        $0.settings = { settings in
          settings.projects = ["other-shop"]
          settings.apiKeys = ["key-demo": ServerHome.project, "key-other": "other-shop"]
        }
      }
    ) { home in
      let made = try SignedUp(
        try await home.call(
          "POST", "\(ServerHome.signUp)?key=key-other",
          ["email": "ada@example.com", "password": "opensesame"]))
      let lookup = try await home.call(
        "POST", "/v1/accounts:lookup?key=key-demo", ["idToken": .string(made.idToken)])
      #expect(lookup.message == "INVALID_ID_TOKEN")
      let renewal: [String: JSONValue] = [
        "grantType": "refresh_token", "refreshToken": .string(made.refreshToken),
      ]
      let renewed = try await home.call("POST", "/v1/token?key=key-demo", .object(renewal))
      #expect(renewed.message == "INVALID_REFRESH_TOKEN")

      let further: JSONValue = ["targetProjectId": "other-shop"]
      for (path, body) in [
        ("/v1/token", renewal), ("/v1/accounts:lookup", ["idToken": .string(made.idToken)]),
        (
          "/v1/accounts:signInWithPassword", ["email": "ada@example.com", "password": "opensesame"]
        ),
      ] {
        let reply = try await home.call(
          "POST", "\(path)?key=key-demo", .object(body).merging(further))
        #expect(
          reply.message?.hasPrefix("INSUFFICIENT_PERMISSION") == true, "\(path): \(reply.text)")
      }
      let own = try await home.call("POST", "/v1/token?key=key-other", .object(renewal))
      #expect(own.status == 200, "\(own.text)")
    }
  }

  /// An admin lookup in which a token's text is the name of its scope.
  private static let named: ServerServices.AdminLookup = { token, _ in right([token]) }

  private static func right(_ scopes: Set<String>) -> AdminRight {
    AdminRight(name: "ada", scopes: scopes, project: ServerHome.project)
  }

  private static func lifting(_ setup: inout ServerSetup) {
    setup.settings = { $0.rateLimits = .none }
  }
}
