import Foundation
import GrowthModel

/// Prints what was measured and what was computed as tables.
enum GrowthReport {
  static func show(_ cost: SizeCosts) {
    print("\n\(cost.accounts) accounts, \(number(cost.bytesPerAccount)) bytes an account:")
    for table in cost.tables where table.bytes + table.indexBytes > 100_000 {
      let count = Double(cost.accounts)
      print(
        "  \(table.name): \(number(Double(table.bytes) / count)) and "
          + "\(number(Double(table.indexBytes) / count)) of indexes")
    }
    print("  a flush takes \(number(cost.flush)) µs; \(cost.leafPages) pages of last events")
    row([
      "operation", "trips", "client µs", "server µs", "others µs", "log bytes", "p50 µs", "p99 µs",
    ])
    for one in cost.operations {
      row(
        [one.name, number(one.roundTrips)]
          + [one.clientCPU, one.serverCPU, one.backgroundCPU, one.logBytes].map(number)
          + [0.5, 0.99].map { number(Quantiles.value($0, ofSorted: one.latencies)) })
    }
    row([
      "operation", "callers", "a second", "p50 µs", "p99 µs", "client µs", "server µs", "repeats",
    ])
    for one in cost.measured {
      row(
        [one.operation, "\(one.callers)", number(one.rate), number(one.median), number(one.slow)]
          + [number(one.clientCPU), number(one.serverCPU), exact(one.repeats)])
    }
  }

  /// Simulates every size and number of callers that was measured, and prints how far off it is.
  static func check(_ costs: MeasuredCosts, seed: UInt64) {
    print("\nsimulated against measured, seed \(seed); the error is of the rate, of p50 and of p99")
    row([
      "accounts", "operation", "callers", "measured", "simulated", "rate %", "p50 %", "p99 %",
      "repeats", "simulated",
    ])
    var errors: [Double] = []
    for size in costs.sizes {
      for one in size.measured {
        guard let cost = size.operation(one.operation) else { continue }
        let machine = SimulatedMachine(
          cores: costs.cores, flush: size.flush, leafPages: size.leafPages)
        let simulated = ClosedSimulation(cost, on: machine, callers: one.callers, seed: seed)
          .run(operations: 20_000)
        let error = simulated.rate / one.rate - 1
        errors.append(abs(error))
        row([
          "\(size.accounts)", one.operation, "\(one.callers)", number(one.rate),
          number(simulated.rate), percent(error), percent(simulated.median / one.median - 1),
          percent(simulated.slow / one.slow - 1), exact(one.repeats), exact(simulated.repeats),
        ])
      }
    }
    let within = errors.count { $0 <= 0.2 }
    print("\(within) of \(errors.count) rates are within 20 %")
  }

  static func row(_ cells: [String]) {
    let widths = [18, 18] + Array(repeating: 10, count: max(0, cells.count - 2))
    let texts = zip(cells, widths).enumerated().map { index, pair in
      let (text, width) = pair
      let room = String(repeating: " ", count: max(0, width - text.count))
      return index == 0 ? text + room : room + text
    }
    print("  " + texts.joined(separator: " "))
  }

  static func number(_ value: Double) -> String {
    guard value.isFinite else { return "never" }
    return abs(value) < 9.95 && value != value.rounded()
      ? String(format: "%.1f", value) : String(format: "%.0f", value)
  }

  static func exact(_ value: Double) -> String { String(format: "%.3f", value) }

  static func percent(_ value: Double) -> String { String(format: "%+.0f", value * 100) }
}
