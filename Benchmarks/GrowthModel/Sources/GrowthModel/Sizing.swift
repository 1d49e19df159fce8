import Foundation

/// What some number of accounts needs, computed from measured costs, a usage and a kind of machine.
///
/// Only arithmetic: nothing of it was measured at these sizes.
public struct Sizing: Sendable {
  public let usage: Usage
  public let hardware: Hardware
  private let costs: SizeCosts

  public init(_ costs: SizeCosts, _ usage: Usage, _ hardware: Hardware = Hardware()) {
    self.costs = costs
    self.usage = usage
    self.hardware = hardware
  }

  /// Requests in the busiest second.
  public var peakRate: Double { usage.peakRates.values.reduce(0, +) }

  /// Changes in the busiest second.
  public var peakChanges: Double { sum { cost, _ in cost.flushes > 0 ? 1 : 0 } }

  /// Bytes of tables and indexes: accounts as measured, events and sessions as many as pile up.
  public var disk: Double {
    let count = Double(max(1, costs.accounts))
    let changes = usage.meanRates.filter { isChange($0.key) }.values.reduce(0, +) * 86_400
    let signIns =
      ((usage.meanRates["sign-in, returning"] ?? 0) + (usage.meanRates["sign-in, new"] ?? 0))
      * 86_400
    let plain = bytes(["events", "event_accounts", "sessions"], isIn: false) / count
    // Each measured account has two events and a session.
    let event = bytes(["events", "event_accounts"], isIn: true) / count / 2
    let session = bytes(["sessions"], isIn: true) / count
    let events = 2 * usage.accounts + changes * usage.eventDays
    let sessions = usage.accounts + signIns * usage.sessionDays
    return plain * usage.accounts + event * events + session * sessions
  }

  /// Bytes of the pages that are used within an hour, which memory has to hold.
  ///
  /// A page of `n` rows is used where one of them is: 1 − (1 − a)ⁿ with the share `a` of accounts active within
  /// the hour. Of the events only what is written is used.
  public var hotBytes: Double {
    let perAccount: [String: Double] = ["accounts": 1, "identities": 2, "sessions": 1]
    return costs.tables.reduce(0) { total, table in
      guard let rows = perAccount[table.name] else { return total }
      let count = Double(max(1, costs.accounts))
      let scale = usage.accounts / count
      func used(_ bytes: Int, _ perRow: Double) -> Double {
        let rowsOfPage = max(1, 8192 / max(1, perRow))
        return Double(bytes) * scale * (1 - pow(1 - usage.hourlyActive, rowsOfPage))
      }
      let heap = Double(table.bytes) / (count * rows)
      // Three indexes of a table, about, share its bytes.
      let index = Double(table.indexBytes) / (count * rows) / 3
      return total + used(table.bytes, heap) + used(table.indexBytes, index)
    }
  }

  /// Cores of the database in the busiest second, all of them busy.
  public var databaseCores: Double {
    sum { cost, _ in cost.serverCPU + cost.backgroundCPU } / 1e6
  }

  /// Cores of AuthGraph's servers in the busiest second, all of them busy.
  public var serverCores: Double {
    sum { cost, pages in
      cost.clientCPU + hardware.requestCPU + (pages.signs ? hardware.tokenCPU : 0)
    } / 1e6
  }

  /// Servers of AuthGraph, at the use that is allowed.
  public var servers: Double {
    max(2, (serverCores / hardware.serverCores / hardware.use).rounded(.up))
  }

  public var connections: Double { servers * hardware.connectionsPerServer }

  /// Connections that do something in the busiest second (Little's law).
  public var busyConnections: Double {
    sum { cost, _ in cost.meanLatency + cost.roundTrips * hardware.network } / 1e6
  }

  /// Bytes a second of the log in the busiest second, without whole pages.
  public var logBytes: Double { sum { cost, _ in cost.logBytes } }

  /// The same where every page that is changed is written to the log whole, as the first time after a checkpoint;
  /// at sizes where nearly every change is the first on its page.
  public var logBytesWithPages: Double {
    sum { cost, pages in cost.logBytes + pages.changed * 8192 }
  }

  /// Pages a second that are read where one machine's memory does not hold what is hot, and written.
  ///
  /// - Parameter memory: the bytes of all machines.
  /// - Returns: the pages of all of them.
  public func pagesPerSecond(memory: Double) -> Double {
    let missed = max(0, 1 - memory / max(1, hotBytes))
    return sum { _, pages in pages.read * missed + pages.changed }
  }

  /// Seconds that reading everything for a back-up takes, on one machine.
  public var backupSeconds: Double { disk / hardware.backupBandwidth }

  /// Seconds that building the index of identities anew takes, on one machine: measured time a row, with the
  /// depth of sorting (log n) of more rows.
  public var indexSeconds: Double {
    let measured = Double(max(2, costs.accounts)) * 2
    let rows = usage.accounts * 2
    return rows * costs.indexRow / 1e6 * log2(max(2, rows)) / log2(measured)
  }

  /// The time in microseconds that one in a hundred exceeds where each of some number of machines has its part of the work.
  ///
  /// That of a caller who is alone, the network, and the wait for a core after M/M/c at the load that the cores have.
  public func slow(_ name: String, machines: Double) -> Double {
    guard let cost = costs.operation(name) else { return 0 }
    let service = databaseCores / max(1e-9, peakRate) * 1e6
    let wait = Queueing.wait(
      exceededBy: 0.01, servers: Int(hardware.cores), load: databaseCores / machines,
      service: service)
    return Quantiles.value(0.99, ofSorted: cost.latencies) + cost.roundTrips * hardware.network
      + wait
  }

  /// What one machine would be full of, as a multiple of what it may have; the first is what breaks first.
  public var strain: [(resource: String, machines: Double)] {
    [
      ("disk", disk / hardware.disk / 0.7),
      ("memory", hotBytes / hardware.memory / 0.7),
      ("cores", databaseCores / hardware.cores / hardware.use),
      ("log", logBytesWithPages / hardware.logBandwidth / hardware.use),
      ("pages", pagesPerSecond(memory: .infinity) / hardware.pagesPerSecond / hardware.use),
      // An hour for an index, eight for a back-up.
      ("back-up", backupSeconds / (8 * 3600)), ("index", indexSeconds / 3600),
    ].sorted { $0.1 > $1.1 }
  }

  /// Machines for the database, without replicas.
  public var machines: Double { max(1, (strain.first?.machines ?? 1).rounded(.up)) }

  private func isChange(_ name: String) -> Bool { (costs.operation(name)?.flushes ?? 0) > 0 }

  private func bytes(_ names: Set<String>, isIn: Bool) -> Double {
    costs.tables.reduce(0) {
      names.contains($1.name) == isIn ? $0 + Double($1.bytes + $1.indexBytes) : $0
    }
  }

  /// A sum over the operations of the busiest second.
  private func sum(_ term: (OperationCost, PagesOfOperation) -> Double) -> Double {
    usage.peakRates.sorted { $0.key < $1.key }.reduce(0) { total, one in
      guard let cost = costs.operation(one.key), let pages = PagesOfOperation.all[one.key] else {
        return total
      }
      return total + one.value * term(cost, pages)
    }
  }
}
