import AuthCore
import AuthTesting
import FakeVendors
import SessionTokens
import Testing

@Suite struct KeyRotationTests {
  private func states(_ home: TokenHome, _ use: KeyUse) async throws
    -> [SigningKeys.Description.State]
  {
    try await home.tokens.keys.list(use, project: TokenHome.project).map(\.state)
  }

  private func publishedIDs(_ home: TokenHome, _ use: KeyUse = .idToken) async throws -> [String] {
    let set = try await home.tokens.publication.keySet(use, project: TokenHome.project)
    guard case .array(let keys)? = set["keys"] else { return [] }
    return keys.compactMap { $0["kid"]?.stringValue }
  }

  @Test(arguments: StoreKind.allCases)
  func `a key is published an hour before it signs, and as long as its tokens live`(
    kind: StoreKind
  ) async throws {
    let home = TokenHome(store: try kind.open())
    let account = try await home.account()
    let old = try await home.issue(account)
    let oldKey = try #require(old.header["kid"]?.stringValue)

    let next = try await home.tokens.keys.rotate(.idToken, .es256, by: home.admin)

    #expect(next.state == .next)
    #expect(next.activeFrom == home.clock.now.adding(seconds: 3600))
    #expect(try await publishedIDs(home).sorted() == [oldKey, next.id].sorted())
    #expect(try await states(home, .idToken) == [.signing, .next])

    home.clock.advance(seconds: 3599)
    let last = try await home.issue(account)
    #expect(last.header["kid"]?.stringValue == oldKey)

    home.clock.advance(seconds: 1)
    let first = try await home.issue(account)
    #expect(first.header["kid"]?.stringValue == next.id)
    #expect(try await states(home, .idToken) == [.retired, .signing])

    home.clock.advance(seconds: 3598)
    _ = try await home.verify(last.idToken.reveal())
    _ = try await home.verify(first.idToken.reveal())
    #expect(try await publishedIDs(home).sorted() == [oldKey, next.id].sorted())

    home.clock.advance(seconds: 3600)
    #expect(try await publishedIDs(home) == [next.id])
    #expect(try await home.tokens.keys.list(.idToken, project: TokenHome.project).count == 1)
    await expect(.invalidUserToken) { try await home.verify(last.idToken.reveal()) }
  }

  @Test func `a cookie's key is published for two weeks after it signed`() async throws {
    let home = TokenHome()
    let token = try await home.verify(try await home.issue(home.account()).idToken.reveal())
    let before = try await home.tokens.sessionCookie(for: token, lifetime: 300).reveal()
    let oldKey = try #require(CompactToken(before)?.headerMembers?["kid"]?.stringValue)
    try await home.tokens.keys.rotate(.sessionCookie, .es256, by: home.admin)
    home.clock.advance(seconds: 3590)
    let cookie = try await home.tokens.sessionCookie(for: token, lifetime: 1_209_600).reveal()

    home.clock.advance(seconds: 1_209_599)

    _ = try await home.tokens.verify(sessionCookie: cookie, project: TokenHome.project)
    #expect(try await publishedIDs(home, .sessionCookie).contains(oldKey))
    home.clock.advance(seconds: 700)
    #expect(try await !publishedIDs(home, .sessionCookie).contains(oldKey))
    #expect(try await states(home, .sessionCookie) == [.signing])
  }

  @Test func `another server notices within a minute, and never signs with a key too early`()
    async throws
  {
    let home = TokenHome()
    let other = home.another()
    let account = try await home.account()
    _ = try await home.issue(account)
    _ = try await other.issue(account)
    let next = try await home.tokens.keys.rotate(.idToken, .es256, by: home.admin)

    home.clock.advance(seconds: 59)
    #expect(try await publishedIDs(other).count == 1)
    home.clock.advance(seconds: 1)
    #expect(try await publishedIDs(other).count == 2)

    home.clock.advance(seconds: 3540)
    #expect(try await home.issue(account).header["kid"]?.stringValue == next.id)
    #expect(try await other.issue(account).header["kid"]?.stringValue == next.id)
  }

  @Test func `a token of a key that a server has not seen makes it look, but not each time`()
    async throws
  {
    let store = CountingStore(MemoryStore())
    let home = TokenHome(store: store)
    let other = home.another()
    let account = try await home.account()
    let known = try await home.issue(account).idToken.reveal()
    _ = try await other.verify(known)
    // A key of another algorithm signs at once if it is the first of its kind.
    let switched = home.another(.signed(.rs256))
    let fresh = try await switched.issue(account).idToken.reveal()

    _ = try await other.verify(fresh)

    let stranger = SigningKey.p256(keyID: "unknown")
    home.clock.advance(seconds: 11)
    let before = store.reads
    for _ in 0..<20 {
      await expect(.invalidUserToken) {
        try await other.verify(try stranger.jws(["user_id": "ada"]))
      }
    }
    #expect(store.reads == before + 1)
  }

  @Test func `one key waits at a time`() async throws {
    let home = TokenHome()
    _ = try await home.issue(home.account())
    try await home.tokens.keys.rotate(.idToken, .es256, by: home.admin)
    await expect(.operationNotAllowed) {
      try await home.tokens.keys.rotate(.idToken, .es256, by: home.admin)
    }
    // Keys of another use or algorithm form other sets.
    try await home.tokens.keys.rotate(.sessionCookie, .es256, by: home.admin)
    try await home.tokens.keys.rotate(.idToken, .rs256, by: home.admin)
    home.clock.advance(seconds: 3600)
    try await home.tokens.keys.rotate(.idToken, .es256, by: home.admin)
    let waiting = try await home.tokens.keys.list(.idToken, project: TokenHome.project)
      .filter { $0.state == .next }
    #expect(waiting.map(\.algorithm) == [.es256])
  }

  @Test func `a key waits for as long as an admin wants, and ten minutes at least`() async throws {
    for (wanted, given) in [(86_400, 86_400), (0, 600), (-5, 600)] as [(Int64, Int64)] {
      let home = TokenHome { $0.keyOverlap = wanted }
      _ = try await home.issue(home.account())
      let next = try await home.tokens.keys.rotate(.idToken, .es256, by: home.admin)
      #expect(next.activeFrom == home.clock.now.adding(seconds: given))
      #expect(home.tokens.keys.maximumAge == given - 300)
    }
  }

  @Test func `only an admin rotates, and the audit keeps the admin`() async throws {
    let home = TokenHome()
    var rehearsal = home.admin
    rehearsal.dryRun = true
    await expect(.operationNotAllowed) {
      try await home.tokens.keys.rotate(
        .idToken, .es256, by: Caller(scope: home.scope, authority: .anyone))
    }
    _ = try await home.tokens.keys.rotate(.idToken, .es256, by: rehearsal)
    #expect(try await home.tokens.keys.list(project: TokenHome.project).isEmpty)

    let key = try await home.tokens.keys.rotate(.idToken, .es256, by: home.admin)

    let scope = home.scope
    let events = try await home.store.read {
      try $0.events(about: nil, before: nil, limit: 10, in: scope)
    }
    #expect(events.map(\.action) == [.rotateKeys])
    #expect(events.first?.actor == "admin:ada")
    #expect(events.first?.details["key"] == .string(key.id))
    #expect(key.state == .signing)
  }

  @Test(arguments: SigningAlgorithm.allCases.filter { !TokenService.algorithms.contains($0) })
  func `no keys exist for algorithms that sign no tokens`(algorithm: SigningAlgorithm) async {
    let home = TokenHome(.signed(algorithm))
    await expect(.operationNotAllowed) {
      try await home.tokens.keys.rotate(.idToken, algorithm, by: home.admin)
    }
    await expect(.operationNotAllowed) { try await home.issue(home.account()) }
  }

  @Test func `a clock that is set back leaves a key to sign`() async throws {
    let home = TokenHome()
    let account = try await home.account()
    _ = try await home.issue(account)
    home.clock.advance(seconds: -100_000)
    _ = try await home.verify(try await home.issue(account).idToken.reveal())
    _ = try await home.another().issue(account)
    #expect(try await home.tokens.keys.list(.idToken, project: TokenHome.project).count == 1)
  }
}
