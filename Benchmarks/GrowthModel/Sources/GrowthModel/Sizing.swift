import Foundation

/// The resources for a number of accounts, computed from measured costs, a usage and a kind of machine.
///
/// This is arithmetic alone: nothing was measured at these sizes.
public struct Sizing: Sendable {
  /// The assumed usage.
  public let usage: Usage
  /// The assumed machines.
  public let hardware: Hardware
  private let costs: SizeCosts

  /// Makes a sizing from the costs at one measured size.
  public init(_ costs: SizeCosts, _ usage: Usage, _ hardware: Hardware = Hardware()) {
    self.costs = costs
    self.usage = usage
    self.hardware = hardware
  }

  /// The requests in the busiest second.
  public var peakRate: Double { usage.peakRates.values.reduce(0, +) }

  /// The changes in the busiest second.
  public var peakChanges: Double { sum { cost, _ in cost.flushes > 0 ? 1 : 0 } }

  /// The bytes of tables and indexes: measured for accounts, extrapolated for events and sessions.
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

  /// The bytes of the pages that are used within an hour, which memory has to hold.
  ///
  /// A page of `n` rows is used if one of them is: 1 − (1 − a)ⁿ with the share `a` of accounts active within the hour.
  /// Of the events, only the written ones count.
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
      // About three indexes share the bytes of a table's indexes.
      let index = Double(table.indexBytes) / (count * rows) / 3
      return total + used(table.bytes, heap) + used(table.indexBytes, index)
    }
  }

  /// The fully used cores of the database in the busiest second.
  public var databaseCores: Double {
    sum { cost, _ in cost.serverCPU + cost.backgroundCPU } / 1e6
  }

  /// The fully used cores of AuthGraph's servers in the busiest second.
  public var serverCores: Double {
    sum { cost, pages in
      cost.clientCPU + hardware.requestCPU + (pages.signs ? hardware.tokenCPU : 0)
    } / 1e6
  }

  /// The number of AuthGraph's servers, at the permitted use.
  public var servers: Double {
    max(2, (serverCores / hardware.serverCores / hardware.use).rounded(.up))
  }

  /// The number of database connections.
  public var connections: Double { servers * hardware.connectionsPerServer }

  /// The number of active connections in the busiest second (Little's law).
  public var busyConnections: Double {
    sum { cost, _ in cost.meanLatency + cost.roundTrips * hardware.network } / 1e6
  }

  /// The bytes written to the log in the busiest second, without whole pages.
  public var logBytes: Double { sum { cost, _ in cost.logBytes } }

  /// The bytes written to the log in the busiest second if every changed page is written whole.
  ///
  /// That happens at the first change after a checkpoint, which at large sizes is nearly every change.
  public var logBytesWithPages: Double {
    sum { cost, pages in cost.logBytes + pages.changed * 8192 }
  }

  /// Returns the pages a second that are written, and those that are read because memory does not hold all hot pages.
  ///
  /// - Parameter memory: the bytes of all machines.
  /// - Returns: the pages of all machines.
  public func pagesPerSecond(memory: Double) -> Double {
    let missed = max(0, 1 - memory / max(1, hotBytes))
    return sum { _, pages in pages.read * missed + pages.changed }
  }

  /// The seconds in which one machine reads everything for a back-up.
  public var backupSeconds: Double { disk / hardware.backupBandwidth }

  /// The seconds in which one machine rebuilds the index of identities: the measured time for each row, scaled with the
  /// depth of sorting (log n).
  public var indexSeconds: Double {
    let measured = Double(max(2, costs.accounts)) * 2
    let rows = usage.accounts * 2
    return rows * costs.indexRow / 1e6 * log2(max(2, rows)) / log2(measured)
  }

  /// Returns the time in microseconds that one in a hundred operations exceeds if `machines` machines share the work.
  ///
  /// It is the latency of a single caller, plus the network, plus the wait for a core by M/M/c at the cores' load.
  public func slow(_ name: String, machines: Double) -> Double {
    guard let cost = costs.operation(name) else { return 0 }
    let service = databaseCores / max(1e-9, peakRate) * 1e6
    let wait = Queueing.wait(
      exceededBy: 0.01, servers: Int(hardware.cores), load: databaseCores / machines,
      service: service)
    return Quantiles.value(0.99, ofSorted: cost.latencies) + cost.roundTrips * hardware.network
      + wait
  }

  /// The use of each resource on one machine, as a multiple of the permitted use, sorted by use.
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

  /// The number of machines for the database, without replicas.
  public var machines: Double { max(1, (strain.first?.machines ?? 1).rounded(.up)) }

  private func isChange(_ name: String) -> Bool { (costs.operation(name)?.flushes ?? 0) > 0 }

  private func bytes(_ names: Set<String>, isIn: Bool) -> Double {
    costs.tables.reduce(0) {
      names.contains($1.name) == isIn ? $0 + Double($1.bytes + $1.indexBytes) : $0
    }
  }

  /// Returns a sum over the operations of the busiest second.
  private func sum(_ term: (OperationCost, PagesOfOperation) -> Double) -> Double {
    usage.peakRates.sorted { $0.key < $1.key }.reduce(0) { total, one in
      guard let cost = costs.operation(one.key), let pages = PagesOfOperation.all[one.key] else {
        return total
      }
      return total + one.value * term(cost, pages)
    }
  }
}
