import AuthCore
import IdentityToolkit
import Testing
import TestSupport

@testable import IdentityToolkitService

@Suite struct `Rate limits of several servers` {
  private let moment = Timestamp(milliseconds: 1_750_000_000_000)

  private func servers(_ count: Int, on store: SharedDouble) -> [SharedRates] {
    (0..<count).map { _ in
      let limiter = RateLimiter()
      limiter.share(true)
      return SharedRates(limiter: limiter, store: store)
    }
  }

  private func asks(
    _ server: SharedRates, _ subject: String = "203.0.113.7", limit: Int = 100,
    at now: Timestamp? = nil
  ) -> Bool {
    do {
      try server.limiter.take("x", of: subject, limit: limit, seconds: 3600, at: now ?? moment)
      return true
    } catch {
      return false
    }
  }

  @Test func `attack 31: three servers together let through about one limit`() async throws {
    let store = try SharedDouble()
    let servers = servers(3, on: store)
    var passed = 0
    // Each asks as often as in one exchange with a busy client.
    for _ in 0..<40 {
      for server in servers {
        for _ in 0..<5 where asks(server) { passed += 1 }
      }
      for server in servers { try await server.exchange() }
    }
    #expect(passed >= 100)
    #expect(passed <= 100 + 3 * (10 + 5))
    #expect(servers.allSatisfy { !asks($0) })
  }

  @Test func `attack 31: requests at other servers count in the next window too`() async throws {
    let store = try SharedDouble()
    let servers = servers(2, on: store)
    for _ in 0..<60 { _ = asks(servers[0]) }
    try await servers[0].exchange()
    for _ in 0..<40 { _ = asks(servers[1]) }
    try await servers[1].exchange()
    #expect(!asks(servers[1]))
    let border = Timestamp(milliseconds: (moment.milliseconds / 3_600_000 + 1) * 3_600_000)
    #expect(!asks(servers[1], at: border))
    #expect(asks(servers[1], at: border.adding(seconds: 3600)))
  }

  @Test func `a quiet client costs nothing, and no client's address is in the store`() async throws
  {
    let store = try SharedDouble()
    let server = servers(1, on: store)[0]
    for number in 0..<50 {
      for _ in 0..<9 { #expect(asks(server, "198.51.100.\(number)")) }
    }
    try await server.exchange()
    #expect(store.told.isEmpty)
    for _ in 0..<10 { _ = asks(server, "ada@example.com") }
    try await server.exchange()
    try await server.exchange()
    #expect(store.told.map(\.amount) == [10])
    #expect(store.told.allSatisfy { !$0.name.contains("ada") && $0.name.count == 44 })
    #expect(store.told.allSatisfy { $0.expiresAt > moment.adding(seconds: 3600) })
  }

  @Test func `while the store is down each server counts for itself, and shares later`()
    async throws
  {
    let store = try SharedDouble()
    let servers = servers(2, on: store)
    store.isDown = true
    for _ in 0..<60 { #expect(asks(servers[0])) }
    await #expect(throws: SharedDouble.IsDown.self) { try await servers[0].exchange() }
    for _ in 0..<30 { #expect(asks(servers[0])) }
    store.isDown = false
    try await servers[0].exchange()
    #expect(store.told.map(\.amount) == [90])
    for _ in 0..<10 { #expect(asks(servers[1])) }
    try await servers[1].exchange()
    #expect(!asks(servers[1]))
  }

  @Test(arguments: SharedKind.allCases)
  func `counts are exchanged while servers run`(_ kind: SharedKind) async throws {
    let test = self
    try await kind.withStores(2) { stores in
      let servers = stores.map { SharedRates(limiter: RateLimiter(), store: $0) }
      let tasks = servers.map { server in Task { await server.run() } }
      defer { for task in tasks { task.cancel() } }
      try await eventually("they do not share") { servers.allSatisfy(\.limiter.isShared) }
      // The store removes expired counts by the machine's time.
      let now = Timestamp.now()
      for _ in 0..<90 { _ = test.asks(servers[0], at: now) }
      try await eventually("it shared no counts") { !servers[0].limiter.hasNews }
      for _ in 0..<10 { _ = test.asks(servers[1], at: now) }
      try await eventually("the other did not hear of it") { !test.asks(servers[1], at: now) }
    }
  }
}
