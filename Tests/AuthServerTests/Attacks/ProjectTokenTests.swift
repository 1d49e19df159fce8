import AuthCore
import AuthTesting
import IdentityToolkit
import SessionTokens
import Testing

@testable import IdentityToolkitService

/// The access of a project's token (S11).
///
/// Every route of the table is tried, so that a new one cannot be forgotten.
@Suite struct `S11 attack 45: a token of one project on another` {
  private static let other = "other-shop"
  private static let projects = [ServerHome.project, other, "unknown-shop"]
  /// The routes that require a key or a token.
  ///
  /// A route that requires a key alone ignores tokens.
  private static let routes = Route.all.filter {
    $0.modes.contains(.production) && $0.access != .open && $0.access != .key
  }

  /// Runs a server of two projects, whose tokens are those of its store.
  private func withProjects(
    _ body: @escaping @Sendable (ServerHome, AdminTokens) async throws -> Void
  ) async throws {
    let store = MemoryStore()
    let tokens = AdminTokens(store: store, clock: { FixedClock().now })
    try await withServer(
      .production, store: store,
      configure: { setup in
        setup.servers = 1
        setup.settings = { settings in
          settings.projects = [Self.other]
          settings.rateLimits = .none
          settings.metrics = .token
        }
        setup.administration.tokens = tokens
        setup.admins = { token, projects in
          try await tokens.check(token, projects: projects).map {
            AdminRight(
              name: $0.name, scopes: Set($0.scopes.map(\.rawValue)), project: $0.project)
          }
        }
      }
    ) { home in try await body(home, tokens) }
  }

  /// Makes a token as the command line does.
  private static func token(
    of project: String, _ scopes: Set<AdminScope>, _ tokens: AdminTokens
  ) async throws -> String {
    let name = "\(project) \(scopes.map(\.rawValue).sorted())"
    let caller = Caller(scope: Scope(project: project), authority: .admin("root"), reason: "test")
    return try await tokens.new(name: name, scopes: scopes, by: caller).reveal()
  }

  private static func bearer(_ token: String) -> [String: String] {
    ["Authorization": "Bearer \(token)"]
  }

  /// Returns the requests for a route in a project: named in the path, in the body, or not at all.
  private static func requests(
    for route: Route, in project: String
  ) -> [(path: String, body: JSONValue?)] {
    let path = route.pattern.replacing("{project}", with: project)
      .replacing("{tenant}", with: "tenant-1").replacing(/\{[a-z]+\}/, with: "none")
    guard route.method != .get else { return [(path, nil)] }
    guard route.pattern.contains("{project}") else {
      return [(path, ["targetProjectId": .string(project)] as JSONValue)]
    }
    return [path, "/www.googleapis.com\(path)"].map { ($0, .object([:])) }
  }

  @Test func `opens nothing, on any route, with any name of the project`() async throws {
    try await withProjects { home, tokens in
      let mine = try await Self.token(of: ServerHome.project, [.all], tokens)
      let others = try await Self.token(of: Self.other, [.all], tokens)
      let servers = try await Self.token(of: Self.other, [.all, .server], tokens)
      let owners = [mine: ServerHome.project, others: Self.other]
      for route in Self.routes where !route.isOfServer {
        let namesProject =
          route.pattern.contains("{project}")
          || route.fields.map {
            $0.contains("targetProjectId")
          } ?? (route.method != .get)
        // A route without a project in its request uses the default one.
        for project in namesProject ? Self.projects : [ServerHome.project] {
          for token in [mine, others, servers] {
            for (path, body) in Self.requests(for: route, in: project) {
              let named = namesProject ? body : body.map { _ in .object([:]) }
              let reply = try await home.call(
                route.method.rawValue, path, named, headers: Self.bearer(token))
              let isForeign = reply.message == WireError.foreignProject.message
              let owner = owners[token]
              #expect(
                isForeign == (owner != nil && owner != project),
                "\(route.method) \(path) \(named?.text ?? ""): \(reply.text)")
              #expect(!isForeign || reply.status == 403)
              #expect(reply.status != 401, "\(path): \(reply.text)")
            }
          }
        }
      }
    }
  }

  @Test func `opens nothing by the project's number, an older path, or a query`() async throws {
    try await withProjects { home, tokens in
      let mine = try await Self.token(of: ServerHome.project, [.all], tokens)
      let others = try await Self.token(of: Self.other, [.all], tokens)
      let root = "/identitytoolkit/v3/relyingparty"
      let name: JSONValue = ["targetProjectId": .string(Self.other)]
      let number = "/v1/projects/\(home.services.settings.projectNumber)/accounts:batchGet"
      for (method, path, body): (String, String, JSONValue?) in [
        ("POST", "\(root)/downloadAccount", name), ("POST", "\(root)/uploadAccount", name),
        ("POST", "\(root)/getAccountInfo", name), ("POST", "/v1/accounts:lookup", name),
        ("GET", "/v1/projects/other%2Dshop/accounts:batchGet", nil),
      ] {
        let reply = try await home.call(method, path, body, headers: Self.bearer(mine))
        #expect(reply.status == 403, "\(path): \(reply.text)")
        let own = try await home.call(method, path, body, headers: Self.bearer(others))
        #expect(own.status < 401, "\(path): \(own.text)")
      }
      #expect(try await home.call("GET", number, nil, headers: Self.bearer(mine)).status == 200)
      #expect(try await home.call("GET", number, nil, headers: Self.bearer(others)).status == 403)
      // A query parameter names no project, so the default one is used.
      let query = "/v1/accounts:lookup?targetProjectId=\(Self.other)"
      #expect(try await home.call("POST", query, [:], headers: Self.bearer(others)).status == 403)
    }
  }

  @Test func `sees no account of the other`() async throws {
    try await withProjects { home, tokens in
      try await home.seed("ada", email: "ada@example.com", in: Scope(project: Self.other))
      let mine = try await Self.token(of: ServerHome.project, [.all], tokens)
      let others = try await Self.token(of: Self.other, [.readAccounts], tokens)
      let path = "/v1/projects/\(Self.other)/accounts:batchGet"
      let refused = try await home.call("GET", path, nil, headers: Self.bearer(mine))
      #expect(refused.status == 403 && !refused.text.contains("ada"))
      let own = try await home.call(
        "GET", "/v1/projects/\(ServerHome.project)/accounts:batchGet", nil,
        headers: Self.bearer(mine))
      #expect(own.status == 200 && !own.text.contains("ada"))
      let read = try await home.call("GET", path, nil, headers: Self.bearer(others))
      #expect(read.status == 200 && read.text.contains("ada@example.com"))
    }
  }

  @Test func `an operation of the server itself takes the scope of the whole server`() async throws
  {
    let own = Self.routes.filter(\.isOfServer)
    #expect(
      Set(own.map(\.name)) == ["admin.listPlugins", "admin.reloadPlugins", "authgraph.metrics"])
    try await withProjects { home, tokens in
      let all = try await Self.token(of: ServerHome.project, [.all], tokens)
      let servers = try await Self.token(of: ServerHome.project, [.plugins, .server], tokens)
      for route in own {
        let body: JSONValue? = route.method == .get ? nil : [:]
        let refused = try await home.call(
          route.method.rawValue, route.pattern, body, headers: Self.bearer(all))
        #expect(refused.message == "The admin token lacks the scope server.", "\(refused.text)")
        let reply = try await home.call(
          route.method.rawValue, route.pattern, body, headers: Self.bearer(servers))
        #expect(reply.message?.hasPrefix("The admin token") != true, "\(reply.text)")
        let missing = try await home.call(route.method.rawValue, route.pattern, body)
        #expect(missing.status == 401)
      }
    }
  }

  @Test func `every operation needs an existing scope`() {
    for route in Route.all {
      #expect(AdminScope(rawValue: route.scope) != nil, "\(route.name): \(route.scope)")
    }
  }

  @Test func `a token that was made over HTTP opens the project it was made in`() async throws {
    try await withProjects { home, tokens in
      let all = try await Self.token(of: Self.other, [.all], tokens)
      let made = try await home.call(
        "POST", "/admin/v1/projects/\(Self.other)/adminTokens",
        ["name": "reader", "scopes": ["accounts:read"]], headers: Self.bearer(all))
      let reader = Self.bearer(try made.text("token"))
      for (project, status) in [(Self.other, 200), (ServerHome.project, 403)] {
        for path in [
          "/v1/projects/\(project)/accounts:batchGet", "/admin/v1/projects/\(project)/accounts",
        ] {
          let reply = try await home.call("GET", path, nil, headers: reader)
          #expect(reply.status == status, "\(path): \(reply.text)")
        }
      }
      let unknown = try await home.call(
        "GET", "/admin/v1/projects/\(Self.other)/accounts", nil, headers: Self.bearer("agadm_none"))
      #expect(unknown.status == 401)
    }
  }

  @Test func `a tenant is its project's`() async throws {
    try await withProjects { home, tokens in
      let all = try await Self.token(of: Self.other, [.all], tokens)
      let mine = try await Self.token(of: ServerHome.project, [.all], tokens)
      let made = try await home.call(
        "POST", "/v2/projects/\(Self.other)/tenants", ["displayName": "branch"],
        headers: Self.bearer(all))
      let tenant = try #require(try made.text("name").split(separator: "/").last)
      let path = "/v1/projects/\(Self.other)/tenants/\(tenant)/accounts:batchGet"
      #expect(try await home.call("GET", path, nil, headers: Self.bearer(all)).status == 200)
      #expect(try await home.call("GET", path, nil, headers: Self.bearer(mine)).status == 403)
      // The tenant does not exist in the other project.
      let elsewhere = path.replacing(Self.other, with: ServerHome.project)
      let reply = try await home.call("GET", elsewhere, nil, headers: Self.bearer(mine))
      #expect(reply.message == "TENANT_NOT_FOUND")
    }
  }

  @Test func `only a token of the whole server gives or revokes one`() async throws {
    try await withProjects { home, tokens in
      let all = try await Self.token(of: ServerHome.project, [.all], tokens)
      let servers = try await Self.token(of: ServerHome.project, [.all, .server], tokens)
      let path = "/admin/v1/projects/\(Self.other)/adminTokens"
      let own = "/admin/v1/projects/\(ServerHome.project)/adminTokens"
      let wanted: JSONValue = ["name": "root", "scopes": ["all", "server"]]
      let refused = try await home.call("POST", own, wanted, headers: Self.bearer(all))
      #expect(refused.status == 403)
      #expect(refused.json["error"]?["field"] == "scopes")
      let made = try await home.call("POST", path, wanted, headers: Self.bearer(servers))
      let root = Self.bearer(try made.text("token"))
      #expect(try await home.call("GET", "\(own)", nil, headers: root).status == 200)
      let second: JSONValue = ["name": "second", "scopes": ["server"]]
      #expect(try await home.call("POST", own, second, headers: Self.bearer(servers)).status == 200)
      let kept = try await home.call("DELETE", "\(own)/second", nil, headers: Self.bearer(all))
      #expect(kept.status == 403, "\(kept.text)")
      #expect(try await home.call("DELETE", "\(own)/second", nil, headers: root).status == 200)
    }
  }
}
