import AuthTesting
import Foundation
import NIOConcurrencyHelpers
import Synchronization
import Testing
import TestSupport

@testable import AuthClient

@Suite(.timeLimit(.minutes(2))) struct TokenKeeperTests {
  @Test func `a token that is good for long is handed out without a request`() async throws {
    let server = TokenServer()
    let keeper = server.keeper(validFor: 301)

    #expect(try await keeper.token(forcingRefresh: false) == ("id-0", false))
    #expect(server.asked == [])
  }

  @Test(arguments: [300, 299, 0, -3600])
  func `a token with five minutes or less is refreshed`(_ left: TimeInterval) async throws {
    let server = TokenServer()
    let keeper = server.keeper(validFor: left)

    #expect(try await keeper.token(forcingRefresh: false) == ("id-1", true))
    #expect(try await keeper.token(forcingRefresh: false) == ("id-1", false))
    #expect(server.asked == ["refresh-0"])
    #expect(keeper.pair == TokenServer.pair("1", validFor: 3600))
  }

  @Test func `tokens without a known end are refreshed`() async throws {
    let server = TokenServer()
    let keeper = server.keeper(validFor: 3600)
    keeper.replace(
      with: TokenPair(idToken: "id-m", refreshToken: "refresh-m", expiresAt: .distantPast))

    #expect(try await keeper.token(forcingRefresh: false) == ("id-1", true))
    #expect(server.asked == ["refresh-m"])
  }

  @Test func `a forced refresh asks although the token is good`() async throws {
    let server = TokenServer()
    let keeper = server.keeper(validFor: 3600)

    #expect(try await keeper.token(forcingRefresh: true) == ("id-1", true))
    #expect(try await keeper.token(forcingRefresh: true) == ("id-2", true))
    #expect(server.asked == ["refresh-0", "refresh-1"])
  }

  @Test func `a new token that soon ends is refreshed once more, with the newer refresh token`()
    async throws
  {
    let server = TokenServer()
    server.giveLifetimes(300)
    let saved = Atomic(0)
    let keeper = server.keeper(validFor: 0) { saved.add(1, ordering: .relaxed) }

    #expect(try await keeper.token(forcingRefresh: false) == ("id-2", true))
    #expect(server.asked == ["refresh-0", "refresh-1"])
    #expect(saved.load(ordering: .relaxed) == 2)
  }

  @Test func `a call makes at most two requests if all tokens end soon`() async throws {
    let server = TokenServer()
    server.giveLifetimes(60, 61, 62)
    let keeper = server.keeper(validFor: 0)

    #expect(try await keeper.token(forcingRefresh: false) == ("id-2", true))
    #expect(server.asked.count == 2)
  }

  @Test func `an answer without a refresh token keeps the old one`() async throws {
    let server = TokenServer()
    server.keepRefreshToken()
    let keeper = server.keeper(validFor: 0)

    _ = try await keeper.token(forcingRefresh: true)
    _ = try await keeper.token(forcingRefresh: true)

    #expect(server.asked == ["refresh-0", "refresh-0"])
    #expect(keeper.pair.refreshToken == "refresh-0")
  }

  @Test(arguments: [false, true])
  func `ten thousand callers at once cost one request`(_ forced: Bool) async throws {
    let gate = Gate()
    let server = TokenServer(gate: gate)
    let saved = Atomic(0)
    let keeper = server.keeper(validFor: 0) { saved.add(1, ordering: .relaxed) }

    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<10_000 {
        group.addTask { try await keeper.token(forcingRefresh: forced).token }
      }
      try await eventually { keeper.waiting == 10_000 }
      gate.open()
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }

    #expect(tokens == ["id-1"])
    #expect(server.asked == ["refresh-0"])
    #expect(saved.load(ordering: .relaxed) == 1)
  }

  @Test func `callers at any moment cost one request together`() async throws {
    let server = TokenServer()
    let keeper = server.keeper(validFor: 0)

    try await withThrowingTaskGroup { group in
      for _ in 0..<10_000 {
        group.addTask {
          let token = try await keeper.token(forcingRefresh: false).token
          #expect(token == "id-1")
        }
      }
      try await group.waitForAll()
    }

    #expect(server.asked == ["refresh-0"])
  }

  @Test func `a refresh does not block a caller with a good token`() async throws {
    let gate = Gate()
    let server = TokenServer(gate: gate)
    let keeper = server.keeper(validFor: 3600)
    async let forced = keeper.token(forcingRefresh: true)
    try await eventually { keeper.waiting == 1 }

    #expect(try await keeper.token(forcingRefresh: false) == ("id-0", false))

    gate.open()
    #expect(try await forced == ("id-1", true))
  }

  @Test func `a waiter that is cancelled leaves at once, and the others get their token`()
    async throws
  {
    let gate = Gate()
    let server = TokenServer(gate: gate)
    let keeper = server.keeper(validFor: 0)
    // The first caller began the refresh.
    let first = Task { try await keeper.token(forcingRefresh: false) }
    try await eventually { keeper.waiting == 1 }
    let second = Task { try await keeper.token(forcingRefresh: false) }
    try await eventually { keeper.waiting == 2 }

    first.cancel()

    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(keeper.waiting == 1)
    gate.open()
    #expect(try await second.value == ("id-1", true))
    #expect(server.asked == ["refresh-0"])
    #expect(!server.wasCancelled)
  }

  @Test func `a cancellation at any moment of the joining is noticed`() async throws {
    let gate = Gate()
    let keeper = TokenServer(gate: gate).keeper(validFor: 0)
    let first = Task { try await keeper.token(forcingRefresh: false) }
    try await eventually { keeper.waiting == 1 }

    for pause in 0..<20_000 {
      let isAbout = Signal()
      let task = Task {
        isAbout.isGiven.store(true, ordering: .relaxed)
        return try await keeper.token(forcingRefresh: false)
      }
      if pause.isMultiple(of: 2) {
        while !isAbout.isGiven.load(ordering: .relaxed) { await Task.yield() }
        for _ in 0..<(pause % 200) { _ = isAbout.isGiven.load(ordering: .relaxed) }
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }

    #expect(keeper.waiting == 1)
    gate.open()
    #expect(try await first.value == ("id-1", true))
  }

  @Test func `an answer is kept and saved even if every caller has given up`() async throws {
    let gate = Gate()
    let server = TokenServer(gate: gate)
    let saved = Atomic(0)
    let keeper = server.keeper(validFor: 0) { saved.add(1, ordering: .relaxed) }
    let only = Task { try await keeper.token(forcingRefresh: false) }
    try await eventually { keeper.waiting == 1 }
    only.cancel()
    await #expect(throws: CancellationError.self) { try await only.value }

    gate.open()
    try await eventually { saved.load(ordering: .relaxed) == 1 }

    #expect(keeper.pair.refreshToken == "refresh-1")
    #expect(try await keeper.token(forcingRefresh: false) == ("id-1", false))
  }

  @Test func `a task that was cancelled before asks for nothing`() async throws {
    let server = TokenServer()
    let keeper = server.keeper(validFor: 0)
    let gate = Gate()
    let task = Task {
      await gate.wait()
      return try await keeper.token(forcingRefresh: false)
    }
    task.cancel()
    gate.open()

    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.asked == [])
  }

  @Test func `tokens that are put in during a refresh win, and end the waiting`() async throws {
    let gate = Gate()
    let server = TokenServer(gate: gate)
    let saved = Atomic(0)
    let keeper = server.keeper(validFor: 0) { saved.add(1, ordering: .relaxed) }
    let first = Task { try await keeper.token(forcingRefresh: false) }
    let second = Task { try await keeper.token(forcingRefresh: true) }
    try await eventually { keeper.waiting == 2 }

    keeper.replace(with: TokenServer.pair("linked", validFor: 3600))

    #expect(try await first.value == ("id-linked", true))
    #expect(try await second.value == ("id-linked", true))
    // The old request ends only now; a later round shows that its answer was dropped.
    gate.open()
    #expect(try await keeper.token(forcingRefresh: true) == ("id-2", true))
    #expect(server.asked == ["refresh-0", "refresh-linked"])
    #expect(keeper.pair.refreshToken == "refresh-2")
    #expect(saved.load(ordering: .relaxed) == 1)
  }

  @Test func `waiting callers get the refreshed token if the tokens put in need a refresh`()
    async throws
  {
    let old = Gate()
    let oldIsOver = Gate()
    let keeper = TokenKeeper(
      TokenServer.pair("old", validFor: 0), now: { TokenServer.epoch },
      refresh: { refreshToken in
        guard refreshToken == "refresh-old" else {
          return TokenServer.pair("new", validFor: 3600)
        }
        await old.wait()
        oldIsOver.open()
        throw TokenServer.Failure()
      })
    let waiter = Task { try await keeper.token(forcingRefresh: false) }
    try await eventually { keeper.waiting == 1 }

    keeper.replace(with: TokenServer.pair("put in", validFor: 0))
    #expect(try await waiter.value == ("id-new", true))

    // No caller waits for the failure of the old tokens any more.
    old.open()
    await oldIsOver.wait()
    #expect(try await keeper.token(forcingRefresh: false) == ("id-new", false))
  }

  @Test func `a failure reaches every waiting caller, and the next call asks again`() async throws {
    let gate = Gate()
    let server = TokenServer(gate: gate)
    server.fail(times: 1)
    let keeper = server.keeper(validFor: 0)

    try await withThrowingTaskGroup { group in
      for _ in 0..<100 {
        group.addTask {
          await #expect(throws: TokenServer.Failure.self) {
            try await keeper.token(forcingRefresh: false)
          }
        }
      }
      try await eventually { keeper.waiting == 100 }
      gate.open()
    }

    #expect(keeper.pair == TokenServer.pair("0", validFor: 0))
    #expect(try await keeper.token(forcingRefresh: false) == ("id-2", true))
    #expect(server.asked == ["refresh-0", "refresh-0"])
  }

  @Test func `a failed second try keeps the refresh token of the first answer`() async throws {
    let answers = NIOLockedValueBox(0)
    let saved = Atomic(0)
    let keeper = TokenKeeper(
      TokenServer.pair("0", validFor: 0), now: { TokenServer.epoch },
      refresh: { _ in
        let number = answers.withLockedValue { count in
          count += 1
          return count
        }
        if number == 2 { throw TokenServer.Failure() }
        return TokenServer.pair("\(number)", validFor: number == 1 ? 10 : 3600)
      }, didRefresh: { saved.add(1, ordering: .relaxed) })

    await #expect(throws: TokenServer.Failure.self) {
      try await keeper.token(forcingRefresh: false)
    }

    #expect(keeper.pair.refreshToken == "refresh-1")
    #expect(saved.load(ordering: .relaxed) == 1)
    #expect(try await keeper.token(forcingRefresh: false) == ("id-3", true))
  }

  @Test func `a failed save reaches the waiting callers, and the tokens are kept`() async throws {
    let server = TokenServer()
    let keeper = server.keeper(validFor: 0) { throw TokenServer.Failure() }

    await #expect(throws: TokenServer.Failure.self) {
      try await keeper.token(forcingRefresh: false)
    }

    #expect(keeper.pair.refreshToken == "refresh-1")
    #expect(try await keeper.token(forcingRefresh: false) == ("id-1", false))
  }

  @Test func `the kept tokens belong together after concurrent calls`() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed: \(seed)")
    let server = TokenServer()
    let keeper = server.keeper(validFor: 0)

    await withTaskGroup { group in
      for worker in 0..<8 {
        group.addTask {
          var numbers = SeededGenerator(seed: seed &+ UInt64(worker))
          for round in 0..<200 {
            switch numbers.next() % 5 {
            case 0:
              keeper.replace(
                with: TokenServer.pair(
                  "\(worker)-\(round)", validFor: numbers.next().isMultiple(of: 2) ? 0 : 3600))
            case 1:
              let task = Task { try await keeper.token(forcingRefresh: true) }
              await Task.yield()
              task.cancel()
              _ = try? await task.value
            case 2: _ = try? await keeper.token(forcingRefresh: true)
            default:
              let token = try? await keeper.token(forcingRefresh: false).token
              #expect(token?.hasPrefix("id-") == true)
            }
            let pair = keeper.pair
            #expect(pair.idToken.dropFirst(3) == pair.refreshToken.dropFirst(8))
          }
        }
      }
    }

    #expect(keeper.waiting == 0)
  }
}

private final class Signal: Sendable {
  let isGiven = Atomic(false)
}
