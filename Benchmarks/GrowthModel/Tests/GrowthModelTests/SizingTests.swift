import Foundation
import GrowthModel
import Testing

@Suite struct SizingTests {
  private func isNear(_ value: Double, _ expected: Double, within share: Double = 1e-6) -> Bool {
    abs(value - expected) <= share * abs(expected)
  }

  /// The costs of a thousand accounts, in round numbers.
  private var costs: SizeCosts {
    let operation = OperationCost(
      name: "link", roundTrips: 3, clientCPU: 200, serverCPU: 400, backgroundCPU: 100, flushes: 1,
      logBytes: 2000, latencies: [1000])
    return SizeCosts(
      accounts: 1000,
      tables: [
        TableCost(name: "accounts", bytes: 300_000, indexBytes: 200_000),
        TableCost(name: "events", bytes: 600_000, indexBytes: 200_000),
        TableCost(name: "sessions", bytes: 300_000, indexBytes: 100_000),
      ], leafPages: 10, flush: 100, indexRow: 2, operations: [operation], measured: [])
  }

  private var usage: Usage {
    var usage = Usage(accounts: 86_400)
    usage.perActiveDay = ["link": 10]
    (usage.dailyActive, usage.newPerDay, usage.peak) = (0.5, 0, 2)
    (usage.eventDays, usage.sessionDays) = (1, 1)
    return usage
  }

  @Test func `rates follow from the active accounts`() {
    #expect(isNear(usage.meanRates["link"] ?? 0, 5))
    #expect(isNear(usage.peakRates["link"] ?? 0, 10))
    #expect(isNear(Sizing(costs, usage).peakRate, 10))
    #expect(isNear(Sizing(costs, usage).peakChanges, 10))
  }

  @Test func `disk is what accounts, events and sessions take`() {
    // 500 an account, 400 an event (two each and one for each change), and 400 a session.
    let expected: Double = 500 * 86_400 + 400 * (2 * 86_400 + 5 * 86_400) + 400 * 86_400
    #expect(isNear(Sizing(costs, usage).disk, expected))
    #expect(isNear(costs.bytesPerAccount, 1700))
  }

  @Test func `cores, log and connections follow from the rates`() {
    let sizing = Sizing(costs, usage)
    #expect(isNear(sizing.databaseCores, 10 * 500 / 1e6))
    #expect(isNear(sizing.serverCores, 10 * (200 + 60 + 600) / 1e6))
    #expect(isNear(sizing.logBytes, 20_000))
    #expect(isNear(sizing.logBytesWithPages, 20_000 + 10 * 4 * 8192))
    #expect(isNear(sizing.busyConnections, 10 * (1000 + 3 * 300) / 1e6))
    #expect(isNear(sizing.pagesPerSecond(memory: .infinity), 40))
    #expect(isNear(sizing.pagesPerSecond(memory: 0), 40 + 80))
  }

  @Test func `ten times the accounts need ten times the disk and the cores`() {
    var more = usage
    more.accounts *= 10
    let (small, large) = (Sizing(costs, usage), Sizing(costs, more))
    #expect(isNear(large.disk, 10 * small.disk))
    #expect(isNear(large.databaseCores, 10 * small.databaseCores))
    #expect(large.indexSeconds > 10 * small.indexSeconds)
  }

  @Test func `Erlang's C has its known values`() {
    #expect(isNear(Queueing.waitingShare(servers: 1, load: 0.7), 0.7))
    // Two servers: 2 ρ² / (1 + ρ) with ρ = 0.5 is a third.
    #expect(isNear(Queueing.waitingShare(servers: 2, load: 1), 1.0 / 3))
    #expect(Queueing.waitingShare(servers: 4, load: 4) == 1)
    // One server: P(wait > t) = ρ exp(−(1 − ρ) t), which is 0.01 at ln(50) / 0.5 for ρ = 0.5.
    #expect(
      isNear(Queueing.wait(exceededBy: 0.01, servers: 1, load: 0.5, service: 1), log(50) / 0.5))
    #expect(Queueing.wait(exceededBy: 0.01, servers: 2, load: 2, service: 1) == .infinity)
  }

  @Test func `a closed network has its known values`() {
    #expect(isNear(Queueing.closed(callers: 1, demands: [2, 3], delay: 5).rate, 0.1))
    // Two callers at one station without pause: it is always busy.
    #expect(isNear(Queueing.closed(callers: 2, demands: [4]).rate, 0.25))
    // Two callers at two equal stations: 2/3 of a station's rate.
    #expect(isNear(Queueing.closed(callers: 2, demands: [1, 1]).rate, 2.0 / 3))
  }

  @Test func `a link changes two partitions, unless they are one`() throws {
    let link = try #require(PagesOfOperation.all["link"])
    #expect(Partitioning(partitions: 1).written(link) == 1)
    #expect(Partitioning(partitions: 1).sharedByTwo(link) == 0)
    #expect(isNear(Partitioning(partitions: 4).written(link), 1.75))
    #expect(isNear(Partitioning(partitions: 4).sharedByTwo(link), 0.75))
    let alone = try #require(costs.operation("link"))
    let one = Partitioning(partitions: 1).cost(of: alone, link, flush: 100)
    #expect(one == alone)
    let many = Partitioning(partitions: 4, network: 300).cost(of: alone, link, flush: 100)
    // A remote key is read with 3/4 of a round trip, and a two-phase commit adds two as often.
    #expect(isNear(many.roundTrips, 3 + 0.75 + 1.5))
    #expect(isNear(many.meanLatency, 1000 + 2.25 * 300 + 1.5 * 100))
  }

  @Test func `a lookup concerns one partition`() throws {
    let lookup = try #require(PagesOfOperation.all["lookup"])
    #expect(Partitioning(partitions: 64).written(lookup) == 0)
    #expect(Partitioning(partitions: 64).sharedByTwo(lookup) == 0)
  }

  @Test func `quantiles are those of the values`() {
    let values = (1...100).map(Double.init)
    #expect(Quantiles.value(0.5, ofSorted: values) == 51)
    #expect(Quantiles.value(0.99, ofSorted: values) == 100)
    #expect(Quantiles.value(0.5, ofSorted: []) == 0)
    #expect(Quantiles.table(4, ofSorted: [1, 2, 3, 4]) == [1, 2, 3, 4])
  }
}
