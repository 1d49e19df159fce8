import Foundation
import GrowthModel
import Testing

@Suite struct SimulationTests {
  /// Makes an operation of one burst on a core.
  private func burst(_ time: Double, latencies: [Double]? = nil) -> OperationCost {
    OperationCost(
      name: "burst", roundTrips: 1, clientCPU: 0, serverCPU: time, backgroundCPU: 0, flushes: 0,
      logBytes: 0, latencies: latencies ?? [time])
  }

  /// Returns quantiles of an exponential distribution with the given mean.
  private func exponential(_ mean: Double) -> [Double] {
    let plain = (0..<2000).map { -log(1 - (Double($0) + 0.5) / 2000) }
    let scale = mean * 2000 / plain.reduce(0, +)
    return plain.map { $0 * scale }
  }

  private func isNear(_ value: Double, _ expected: Double, within share: Double) -> Bool {
    abs(value - expected) <= share * expected
  }

  @Test func `equal seeds simulate equally, and others do not`() {
    let cost = burst(100, latencies: exponential(100))
    let machine = SimulatedMachine(cores: 2, flush: 100)
    func run(_ seed: UInt64) -> LoadResult {
      ClosedSimulation(cost, on: machine, callers: 8, seed: seed).run(operations: 5000)
    }
    #expect(run(7) == run(7))
    #expect(run(7) != run(8))
  }

  @Test func `a single caller takes the measured time`() {
    var cost = burst(100)
    (cost.clientCPU, cost.flushes, cost.roundTrips, cost.latencies) = (50, 1, 3, [300])
    let machine = SimulatedMachine(cores: 2, flush: 110)
    let result = ClosedSimulation(cost, on: machine, callers: 1, seed: 1).run(operations: 1000)
    #expect(isNear(result.median, 300, within: 0.001))
    #expect(isNear(result.rate, 1e6 / 300, within: 0.001))
  }

  @Test(arguments: [1, 2, 5, 20])
  func `pausing callers fare as in a closed network`(callers: Int) {
    let cost = burst(100, latencies: exponential(100))
    let machine = SimulatedMachine(cores: 1, flush: 0, connections: 100)
    let result = ClosedSimulation(cost, on: machine, callers: callers, pause: 400, seed: 3)
      .run(operations: 30_000)
    let formula = Queueing.closed(callers: callers, demands: [100], delay: 400)
    #expect(isNear(result.rate, formula.rate * 1e6, within: 0.03))
  }

  @Test(arguments: [0.5, 1.2, 1.7])
  func `many callers with long pauses fare as with M/M/c`(load: Double) {
    let machine = SimulatedMachine(cores: 2, flush: 0, connections: 10_000)
    let callers = 4000
    let pause = 100 * Double(callers) / load
    let simulation = ClosedSimulation(
      burst(100, latencies: exponential(100)), on: machine, callers: callers, pause: pause, seed: 5)
    let result = simulation.run(operations: 60_000)
    #expect(isNear(result.rate, load / 100 * 1e6, within: 0.05))
    // P(wait and service > t) = exp(−µt) (1 + C (1 − exp(−µt (c − 1 − a))) / (c − 1 − a)).
    let waiting = Queueing.waitingShare(servers: 2, load: load)
    func share(above time: Double) -> Double {
      let (served, rest) = (time / 100, 1 - load)
      return exp(-served) * (1 + waiting * (1 - exp(-served * rest)) / rest)
    }
    #expect(abs(share(above: result.median) - 0.5) < 0.03)
    // The slowest operations come in bunches, so a simulation is less precise about them.
    #expect((0.005...0.02).contains(share(above: result.slow)))
  }

  @Test func `commits that wait together are flushed together`() {
    var cost = burst(1)
    (cost.flushes, cost.latencies) = (1, [101])
    let machine = SimulatedMachine(cores: 16, flush: 100, connections: 64)
    func rate(_ callers: Int) -> Double {
      ClosedSimulation(cost, on: machine, callers: callers, seed: 1).run(operations: 4000).rate
    }
    #expect(isNear(rate(1), 1e6 / 101, within: 0.01))
    // Each flush covers all transactions that arrived during the previous one.
    #expect(rate(32) > 14 * rate(1))
  }

  @Test func `one of two changes to one page begins again`() {
    var cost = burst(100)
    cost.flushes = 1
    let narrow = SimulatedMachine(cores: 4, flush: 50, leafPages: 1)
    let wide = SimulatedMachine(cores: 4, flush: 50, leafPages: 1_000_000)
    func repeats(_ machine: SimulatedMachine, _ callers: Int) -> Double {
      ClosedSimulation(cost, on: machine, callers: callers, seed: 2).run(operations: 3000).repeats
    }
    #expect(repeats(narrow, 1) == 0)
    #expect(repeats(narrow, 4) > 0.01)
    #expect(repeats(wide, 4) < 0.001)
  }

  @Test func `few connections are the bottleneck of many callers`() {
    var cost = burst(1)
    cost.latencies = [1001]
    let machine = SimulatedMachine(cores: 8, flush: 0, connections: 2)
    let result = ClosedSimulation(cost, on: machine, callers: 10, seed: 1).run(operations: 2000)
    #expect(isNear(result.rate, 2e6 / 1001, within: 0.01))
  }
}
