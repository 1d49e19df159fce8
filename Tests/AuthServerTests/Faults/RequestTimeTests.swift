import AuthCore
import AuthTesting
import SQLiteStore
import Synchronization
import Testing

@testable import AuthServer
@testable import IdentityToolkitService

/// A hook that does not answer until it is given up.
private struct SilentHooks: SignInHooks {
  let isSilent = Mutexed(true)

  func answer(_ event: SignInHookEvent) async throws -> SignInHookAnswer? {
    if isSilent.value { try await Task.sleep(for: .seconds(3600)) }
    return nil
  }
}

private final class Mutexed: Sendable {
  private let state: Mutex<Bool>
  init(_ value: Bool) { state = Mutex(value) }
  var value: Bool {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

@Suite struct `A request that takes too long` {
  @Test(arguments: ServerMode.allCases)
  func `is given up, and nothing of it is written`(_ mode: ServerMode) async throws {
    let hooks = SilentHooks()
    try await withServer(
      mode, store: try SQLiteStore.inMemory(),
      configure: {
        $0.hooks = hooks
        $0.http.requestSeconds = 1
      }
    ) { home in
      try await home.touch()
      let body: JSONValue = ["email": "ada@example.com", "password": "opensesame"]

      let reply = try await home.post(ServerHome.signUp, body)

      #expect(reply.status == 504)
      #expect(reply.json["error"]?["status"] == "DEADLINE_EXCEEDED")
      #expect(try await home.graph.accountCount(in: home.scope) == 0)
      #expect(
        try await home.graph.events(limit: 10, in: home.scope).filter {
          $0.errorCode == nil
            && $0.accountID != nil
        }.isEmpty)
      hooks.isSilent.value = false
      #expect(try await home.post(ServerHome.signUp, body).status == 200)
    }
  }

  @Test func `holds no other request up`() async throws {
    let hooks = SilentHooks()
    try await withServer(
      .emulator,
      configure: {
        $0.hooks = hooks
        $0.http.requestSeconds = 2
      }
    ) { home in
      try await home.touch()
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<6 {
          let body: JSONValue = [
            "email": .string("a\(number)@example.com"), "password": "opensesame",
          ]
          group.addTask { try await home.post(ServerHome.signUp, body).status }
        }
        for _ in 0..<20 {
          #expect(try await home.post("/v1/accounts:createAuthUri").status < 500)
        }
        for try await status in group { #expect(status == 504) }
      }
      #expect(try await home.graph.accountCount(in: home.scope) == 0)
    }
  }
}

/// A hook that waits until it is cancelled, and reports that.
private final class WaitingHooks: SignInHooks {
  let began = AsyncStream.makeStream(of: Void.self)
  let ended = AsyncStream.makeStream(of: Void.self)

  func answer(_ event: SignInHookEvent) async throws -> SignInHookAnswer? {
    began.continuation.yield()
    defer { ended.continuation.yield() }
    try await Task.sleep(for: .seconds(3600))
    return nil
  }
}

@Suite struct `S1 A client that goes away` {
  @Test(arguments: ServerMode.allCases)
  func `ends the work that was begun for it`(_ mode: ServerMode) async throws {
    let (hooks, log) = (WaitingHooks(), LogLines())
    try await withServer(
      mode, store: try SQLiteStore.inMemory(),
      configure: {
        $0.servers = 1
        $0.hooks = hooks
        $0.logger = log.logger
      }
    ) { home in
      try await home.touch()
      var (began, ended) = (
        hooks.began.stream.makeAsyncIterator(), hooks.ended.stream.makeAsyncIterator()
      )
      let asking = Task {
        try await home.post(
          ServerHome.signUp, ["email": "ada@example.com", "password": "opensesame"])
      }
      _ = await began.next()

      // The client closes its connection.
      asking.cancel()

      _ = await ended.next()
      await #expect(throws: (any Error).self) { try await asking.value }
      #expect(try await home.call("GET", "/health").status == 200)
      #expect(try await home.graph.accountCount(in: home.scope) == 0)
      #expect(!log.all.contains { $0.hasPrefix("fault") }, "\(log.text)")
    }
  }
}
