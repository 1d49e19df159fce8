import Foundation
import GrowthModel

/// A number of callers who repeat one operation for some time.
struct CallerLoad {
  let operations: GrowthOperations
  let meter: ServerMeter

  /// The result: the time of every operation in microseconds, and the resources spent on all of them.
  struct Outcome: Sendable {
    var latencies: [Double] = []
    var seconds = 0.0
    var spent = ServerMeter.Difference()

    var count: Double { Double(max(1, latencies.count)) }

    mutating func add(_ other: Outcome) {
      latencies += other.latencies
      seconds += other.seconds
      spent.client += other.spent.client
      spent.backends += other.spent.backends
      spent.background += other.spent.background
      spent.logBytes += other.spent.logBytes
      spent.transactions += other.spent.transactions
    }
  }

  func run(
    _ kind: GrowthOperations.Kind, callers: Int, seconds: Double, limit: Int = .max
  ) async throws -> Outcome {
    // Whole turns of every caller, so that all of them end at about the same time.
    let most = limit == .max ? Int.max : max(1, limit / callers)
    let before = try meter.before()
    let start = ContinuousClock.now
    let end = start + .seconds(seconds)
    let operations = operations
    var outcome = Outcome()
    outcome.latencies = try await withThrowingTaskGroup(of: [Double].self) { group in
      for _ in 0..<callers {
        group.addTask {
          var times: [Double] = []
          var last = ContinuousClock.now
          while last < end, times.count < most {
            guard try await operations.perform(kind) else { break }
            let now = ContinuousClock.now
            times.append((now - last) / .microseconds(1))
            last = now
          }
          return times
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    outcome.seconds = (ContinuousClock.now - start) / .seconds(1)
    outcome.spent = try meter.after(before)
    return outcome
  }
}

extension CallerLoad.Outcome {
  func measurement(
    _ kind: GrowthOperations.Kind, callers: Int, transactionsAlone: Double
  ) -> LoadResult {
    let sorted = latencies.sorted()
    let repeats = transactionsAlone > 0 ? spent.transactions / count / transactionsAlone - 1 : 0
    return LoadResult(
      operation: kind.rawValue, callers: callers, rate: count / max(seconds, 1e-9),
      median: Quantiles.value(0.5, ofSorted: sorted), slow: Quantiles.value(0.99, ofSorted: sorted),
      clientCPU: spent.client / count, serverCPU: (spent.backends + spent.background) / count,
      repeats: max(0, repeats) * Double(kind.flushes))
  }

  /// Returns the cost for a single caller; round trips are measured elsewhere.
  func cost(_ kind: GrowthOperations.Kind, roundTrips: Double) -> OperationCost {
    OperationCost(
      name: kind.rawValue, roundTrips: roundTrips, clientCPU: spent.client / count,
      serverCPU: spent.backends / count, backgroundCPU: spent.background / count,
      flushes: kind.flushes, logBytes: spent.logBytes / count,
      latencies: Quantiles.table(200, ofSorted: latencies.sorted()))
  }
}
