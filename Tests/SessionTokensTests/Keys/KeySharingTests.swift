import AuthCore
import FakeVendors
import Foundation
import SQLiteStore
import SessionTokens
import Testing

@Suite struct KeySharingTests {
  @Test(arguments: TokenService.algorithms)
  func `servers that begin at once on one file agree on a key`(
    algorithm: SigningAlgorithm
  ) async throws {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "SessionTokensTests-\(UUID().uuidString).db").path
    defer {
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
    }
    let secrets = PurposeSealing()
    let servers = try (0..<2).map { _ in
      TokenHome(
        .signed(algorithm), store: try SQLiteStore(path: path, durability: .normal),
        secrets: secrets)
    }
    let account = try await servers[0].account()

    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for server in servers {
        for _ in 0..<8 {
          group.addTask { try await server.issue(account).idToken.reveal() }
        }
      }
      return try await group.reduce(into: [String]()) { $0.append($1) }
    }

    let keys = Set(tokens.compactMap { CompactToken($0)?.headerMembers?["kid"] })
    #expect(keys.count == 1)
    for server in servers {
      for token in tokens { _ = try await server.verify(token) }
      #expect(
        try await server.tokens.keys.list(.idToken, project: TokenHome.project).count == 1)
    }
  }

  @Test func `projects have keys of their own, and tenants their project's`() async throws {
    let home = TokenHome()
    let own = try await home.issue(home.account())
    let tenant = try await home.issue(home.account("bo", tenant: "north"))
    #expect(own.header["kid"] == tenant.header["kid"])

    _ = try await home.tokens.publication.keySet(.idToken, project: "other")
    let keys = try await home.tokens.keys.list(project: "other")
    #expect(keys.count == 1)
    #expect(keys.first.map { JSONValue.string($0.id) } != own.header["kid"])
  }

  @Test func `a project that was only named gets no keys`() async throws {
    let home = TokenHome()
    let token = try await home.issue(home.account()).idToken.reveal()
    await expect(.invalidUserToken) { try await home.verify(token, project: "made-up") }
    #expect(try await home.tokens.keys.list(project: "made-up").isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `private keys lie in the store under seal, for their project and use alone`(
    kind: StoreKind
  ) async throws {
    let home = TokenHome(store: try kind.open())
    let account = try await home.account()
    let token = try await home.issue(account).idToken.reveal()
    let names = ["signing-keys:id-token", "signing-keys:session-cookie"]
    let (scope, other) = (home.scope, Scope(project: "other"))
    let sealed = try #require(
      try await home.store.read { try $0.checkpoint(names[0], in: scope) })
    // With quotes, which base64 does not have, because three letters alone may occur by chance.
    #expect(!sealed.contains("PRIVATE") && !sealed.contains("\"privateKey\""))

    try await home.store.write { writer in
      try writer.saveCheckpoint(names[0], sealed, in: other)
      try writer.saveCheckpoint(names[1], sealed, in: scope)
    }

    await expect(.internalError) { try await home.verify(token, project: "other") }
    await expect(.internalError) {
      try await home.tokens.publication.keySet(.sessionCookie, project: TokenHome.project)
    }
    // Another key file opens nothing, and does not replace the old keys.
    let stranger = TokenHome(store: home.store)
    await expect(.internalError) { try await stranger.issue(account) }
    _ = try await home.another().verify(token)
  }

  @Test func `each waiter for keys may be cancelled alone`() async throws {
    let home = TokenHome(.signed(.rs256))
    let account = try await home.account()
    let impatient = Task { try await home.issue(account) }
    let patient = Task { try await home.issue(account) }
    impatient.cancel()
    _ = try await home.verify(try await patient.value.idToken.reveal())
  }
}
