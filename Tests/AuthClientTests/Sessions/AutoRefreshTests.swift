import Foundation
import NIOConcurrencyHelpers
import Synchronization
import Testing
import TestSupport

@testable import AuthClient

@Suite struct RefreshScheduleTests {
  private let now = TokenServer.epoch

  @Test func `a refresh is due when five minutes are left`() {
    let schedule = RefreshSchedule()
    #expect(schedule.delay(untilRefreshing: now + 3600, now: now) == .seconds(3300))
    #expect(schedule.delay(untilRefreshing: now + 300.5, now: now) == .seconds(0.5))
    #expect(schedule.delay(untilRefreshing: now + 300, now: now) == .zero)
    #expect(schedule.delay(untilRefreshing: now - 1, now: now) == .zero)
    #expect(schedule.delay(untilRefreshing: .distantPast, now: now) == .zero)
    #expect(schedule.delay(untilRefreshing: .distantFuture, now: now) == .seconds(86_400))
  }

  @Test func `failures wait from one minute to sixteen, and a success begins anew`() {
    var schedule = RefreshSchedule()
    let waits = (0..<7).map { _ in schedule.delayAfterFailure() }
    #expect(waits == [60, 120, 240, 480, 960, 960, 960].map { .seconds($0) })

    #expect(schedule.delay(afterRefreshGiving: now + 3600, now: now) == .seconds(3300))
    #expect(schedule.delayAfterFailure() == .seconds(60))
  }

  @Test func `tokens that end soon are not refreshed without a pause`() {
    var schedule = RefreshSchedule()
    #expect(schedule.delay(afterRefreshGiving: now + 200, now: now) == .seconds(60))
  }
}

@Suite(.timeLimit(.minutes(2))) struct AutoRefreshTests {
  /// A clock whose sleeps end at once and advance it.
  private final class Time: Sendable {
    struct State {
      var now = TokenServer.epoch
      var end: Date? = TokenServer.epoch + 3600
      var log: [String] = []
      var failures = 0
    }
    let state = NIOLockedValueBox(State())
    /// The number of sleeps after which the next one lasts until it is cancelled.
    let sleeps: Int

    init(sleeps: Int) { self.sleeps = sleeps }

    var log: [String] { state.withLockedValue(\.log) }

    func sleep(_ duration: Duration) async throws {
      let isLast = state.withLockedValue { state in
        state.log.append("sleep \(duration.components.seconds)")
        state.now += TimeInterval(duration.components.seconds)
        return state.log.count(where: { $0.hasPrefix("sleep") }) > sleeps
      }
      if isLast {
        state.withLockedValue { $0.log.append("…") }
        try await Task.sleep(for: .seconds(3600))
      }
      try Task.checkCancellation()
    }

    func refresh() throws {
      try state.withLockedValue { state in
        if state.failures > 0 {
          state.failures -= 1
          state.log.append("failed")
          throw TokenServer.Failure()
        }
        state.log.append("refreshed")
        state.end = state.now + 3600
      }
    }

    func autoRefresh() -> AutoRefresh {
      AutoRefresh(
        expiresAt: { self.state.withLockedValue(\.end) }, refresh: { try self.refresh() },
        now: { self.state.withLockedValue(\.now) }, sleep: { try await self.sleep($0) })
    }
  }

  @Test func `tokens are refreshed five minutes before each end`() async throws {
    let time = Time(sleeps: 3)
    let refreshing = time.autoRefresh()
    #expect(time.log == [])

    refreshing.start()
    try await eventually { time.log.last == "…" }

    #expect(
      time.log == [
        "sleep 3300", "refreshed", "sleep 3300", "refreshed", "sleep 3300", "refreshed",
        "sleep 3300", "…",
      ])
    refreshing.stop()
  }

  @Test func `a failure is tried again after longer and longer pauses`() async throws {
    let time = Time(sleeps: 4)
    time.state.withLockedValue { $0.failures = 3 }
    let refreshing = time.autoRefresh()

    refreshing.start()
    try await eventually { time.log.last == "…" }

    #expect(
      time.log == [
        "sleep 3300", "failed", "sleep 60", "failed", "sleep 120", "failed", "sleep 240",
        "refreshed", "sleep 3300", "…",
      ])
    refreshing.stop()
  }

  @Test func `tokens that were refreshed meanwhile are left alone`() async throws {
    let time = Time(sleeps: 1)
    time.state.withLockedValue { $0.end = TokenServer.epoch + 3600 }
    let refreshing = AutoRefresh(
      expiresAt: { time.state.withLockedValue(\.end) }, refresh: { try time.refresh() },
      now: { time.state.withLockedValue(\.now) },
      sleep: { duration in
        time.state.withLockedValue { $0.end = TokenServer.epoch + 7200 }
        try await time.sleep(duration)
      })

    refreshing.start()
    try await eventually { time.log.last == "…" }

    #expect(time.log == ["sleep 3300", "sleep 3600", "…"])
    refreshing.stop()
  }

  @Test func `the work ends if there are no tokens any more`() async throws {
    let time = Time(sleeps: 5)
    let refreshing = AutoRefresh(
      expiresAt: { time.state.withLockedValue(\.end) },
      refresh: { time.state.withLockedValue { $0.log.append("refreshed") } },
      now: { time.state.withLockedValue(\.now) },
      sleep: { duration in
        try await time.sleep(duration)
        time.state.withLockedValue { state in
          state.end = nil
          state.log.append("signed out")
        }
      })

    refreshing.start()
    try await eventually { time.log.last == "signed out" }
    refreshing.start()

    #expect(time.log == ["sleep 3300", "signed out"])
  }

  @Test func `a stop or a release ends a sleep`() async throws {
    let sleeping = Atomic(0)
    let sleep: @Sendable (Duration) async throws -> Void = { _ in
      sleeping.add(1, ordering: .relaxed)
      defer { sleeping.subtract(1, ordering: .relaxed) }
      try await Task.sleep(for: .seconds(3600))
    }
    let make = {
      AutoRefresh(
        expiresAt: { TokenServer.epoch + 3600 }, refresh: { Issue.record("refreshed") },
        now: { TokenServer.epoch }, sleep: sleep)
    }
    var refreshing: AutoRefresh? = make()
    refreshing?.start()
    try await eventually { sleeping.load(ordering: .relaxed) == 1 }
    refreshing?.stop()
    try await eventually { sleeping.load(ordering: .relaxed) == 0 }

    refreshing?.start()
    try await eventually { sleeping.load(ordering: .relaxed) == 1 }
    // A second start replaces the first one.
    refreshing?.start()
    refreshing = nil
    try await eventually { sleeping.load(ordering: .relaxed) == 0 }
  }
}
