import Foundation
import GrowthModel

/// Prints the resources for sizes that were not measured.
enum SizingReport {
  static func show(_ costs: MeasuredCosts, accounts: [Double]) {
    guard let measured = costs.sizes.max(by: { $0.accounts < $1.accounts }) else { return }
    print("computed from \(costs.place), \(measured.accounts) accounts")
    let sizings = accounts.map { Sizing(measured, Usage(accounts: $0)) }
    func row(_ name: String, _ value: (Sizing) -> String) {
      GrowthReport.row(["", name] + sizings.map(value))
    }
    row("accounts") { GrowthReport.short($0.usage.accounts) }
    row("requests a second") { GrowthReport.short($0.peakRate) }
    row("changes a second") { GrowthReport.short($0.peakChanges) }
    row("disk, bytes") { GrowthReport.short($0.disk) }
    row("hot bytes") { GrowthReport.short($0.hotBytes) }
    row("database cores") { GrowthReport.short($0.databaseCores) }
    row("server cores") { GrowthReport.short($0.serverCores) }
    row("servers") { GrowthReport.short($0.servers) }
    row("connections") { GrowthReport.short($0.connections) }
    row("busy connections") { GrowthReport.short($0.busyConnections) }
    row("log, bytes/s") { GrowthReport.short($0.logBytes) }
    row("log, whole pages") { GrowthReport.short($0.logBytesWithPages) }
    row("pages written/s") { GrowthReport.short($0.pagesPerSecond(memory: .infinity)) }
    row("back-up, s") { GrowthReport.short($0.backupSeconds) }
    row("index, s") { GrowthReport.short($0.indexSeconds) }
    row("first to break") { $0.strain.first?.resource ?? "" }
    row("second") { $0.strain.dropFirst().first?.resource ?? "" }
    row("machines") { GrowthReport.short($0.machines) }
    for name in ["refresh", "sign-in, returning", "link"] {
      row("p99 \(name)") { GrowthReport.short($0.slow(name, machines: $0.machines)) }
    }
    for sizing in sizings {
      let all = sizing.strain.map { "\($0.resource) \(String(format: "%.3g", $0.machines))" }
      print("  \(GrowthReport.short(sizing.usage.accounts)): \(all.joined(separator: ", "))")
    }
    partitions(measured)
  }

  /// Prints the costs of operations if accounts and keys are in partitions.
  private static func partitions(_ costs: SizeCosts) {
    GrowthReport.row([
      "operation", "partitions", "changed", "two or more", "trips", "p50 µs", "server µs",
    ])
    for cost in costs.operations where cost.flushes > 0 {
      guard let pages = PagesOfOperation.all[cost.name] else { continue }
      for count in [1, 4, 64] {
        let spread = Partitioning(partitions: count)
        let whole = spread.cost(of: cost, pages, flush: costs.flush)
        GrowthReport.row(
          [cost.name, "\(count)"]
            + [
              spread.written(pages), spread.sharedByTwo(pages), whole.roundTrips,
              Quantiles.value(0.5, ofSorted: whole.latencies), whole.serverCPU,
            ].map(GrowthReport.short))
      }
    }
  }
}

extension GrowthReport {
  /// Formats a number with three digits and k, M, G or T.
  static func short(_ value: Double) -> String {
    guard value.isFinite else { return "never" }
    let steps: [(Double, String)] = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")]
    guard let (unit, letter) = steps.first(where: { abs(value) >= $0.0 }) else {
      return String(format: "%.3g", value)
    }
    return String(format: "%.3g", value / unit) + " " + letter
  }
}
