import AuthCore
import AuthTesting
import IdentityToolkit
import SessionTokens
import Testing
import TestSupport

@testable import IdentityToolkitService

/// Changes by one server of values that another one has cached.
@Suite struct `Servers on one store` {
  @Test(arguments: SharedKind.allCases)
  func `a token that was revoked at one is refused by the other`(_ kind: SharedKind) async throws {
    try await kind.withStores(2) { stores in
      let pair = ServerPair(on: stores)
      let (here, there) = try (
        #require(pair.first.administration.tokens), #require(pair.second.administration.tokens)
      )
      let token = try await here.new(name: "ci", scopes: [.all], by: pair.admin).reveal()
      func isGood() async throws -> Bool {
        try await there.check(token, project: ServerHome.project) != nil
      }
      try await pair.whileSharing {
        #expect(try await isGood())
        try await here.revoke(name: "ci", by: pair.admin)
        try await eventually("the token stays good") { try await !isGood() }
        let next = try await here.new(name: "ci", scopes: [.all], by: pair.admin).reveal()
        try await eventually("the new token is unknown") {
          try await there.check(next, project: ServerHome.project) != nil
        }
      }
    }
  }

  @Test(arguments: SharedKind.allCases)
  func `a tenant that was removed at one is gone at the other`(_ kind: SharedKind) async throws {
    try await kind.withStores(2) { stores in
      let pair = ServerPair(on: stores)
      let scope = try await pair.first.graph.createTenant(
        "north", in: ServerHome.project, settings: ProjectSettings(), by: pair.admin)
      try await pair.whileSharing {
        try await pair.second.scopes.require(scope)
        try await pair.first.graph.deleteTenant(scope, by: pair.admin)
        try await eventually("the tenant is still known") {
          do {
            try await pair.second.scopes.require(scope)
            return false
          } catch let error as WireError {
            return error.message == "TENANT_NOT_FOUND"
          }
        }
      }
    }
  }

  @Test(arguments: SharedKind.allCases)
  func `a key that one made is published by the other`(_ kind: SharedKind) async throws {
    try await kind.withStores(2) { stores in
      let pair = ServerPair(on: stores)
      func published(_ server: ServerServices) async throws -> Int {
        guard
          case .array(let keys)? = try await server.tokens.publication.keySet(
            .idToken, project: ServerHome.project)["keys"]
        else { return 0 }
        return keys.count
      }
      try await pair.whileSharing {
        #expect(try await published(pair.first) == 1)
        #expect(try await published(pair.second) == 1)
        try await pair.first.tokens.keys.rotate(.idToken, .es256, by: pair.admin)
        #expect(try await published(pair.first) == 2)
        try await eventually("the next key is not published") {
          try await published(pair.second) == 2
        }
      }
    }
  }

  @Test(arguments: SharedKind.allCases)
  func `settings that one changed count at the other at once`(_ kind: SharedKind) async throws {
    try await kind.withStores(2) { stores in
      let pair = ServerPair(on: stores)
      #expect(try await pair.second.graph.settings(of: ServerPair.scope).recentLoginSeconds != 77)
      _ = try await pair.first.graph.changeSettings(by: pair.admin) { $0.recentLoginSeconds = 77 }
      #expect(try await pair.second.graph.settings(of: ServerPair.scope).recentLoginSeconds == 77)
    }
  }

  @Test func `a store of one machine has nothing to share`() {
    let services = ServerServices(
      store: MemoryStore(), secrets: PlainSealing(), transport: NoTransport(),
      options: ServiceOptions())
    #expect(ServerSharing(services) == nil)
  }
}
