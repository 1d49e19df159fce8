import Testing

@testable import AuthCore

/// Tests of the health that a store's writes report.
@Suite struct WriteHealthTests {
  private static let full = StoreOutage(
    .full, AuthError(.storeUnavailable, "There is no room left.", remedy: "Make room."))

  @Test func `a store that was never asked is probed`() async {
    let health = WriteHealth()

    let outage = await health.outage { Self.full }

    #expect(outage?.reason == .full)
    #expect(health.last?.reason == .full)
  }

  @Test func `an outage is over when a probe finds so, and not by a change that went well`() async {
    let health = WriteHealth()
    health.failed(Self.full)
    health.succeeded()

    let before = await health.outage { Self.full }
    var after = before
    // A recent result stays valid for a while.
    while after != nil {
      after = await health.outage { nil }
      await Task.yield()
    }

    #expect(before?.reason == .full)
    #expect(health.last == nil)
  }

  @Test func `a hanging probe is reported as an outage, to each caller`() async {
    let health = WriteHealth()
    let probe: @Sendable () async -> StoreOutage? = {
      try? await Task.sleep(for: .seconds(3600))
      return nil
    }

    for _ in 0..<3 {
      let outage = await health.outage(probe: probe)
      #expect(outage?.reason == .unreachable)
    }
  }
}
