// Computes machines, times and limits of a service at any size from measured costs. Start with `MeasuredCosts` (the
// input), `Sizing` (the arithmetic) and `ClosedSimulation` (the effect of many callers). Imports only Foundation, and
// is independent of accounts and stores.

/// The measured costs of one machine, from which everything else is computed.
public struct MeasuredCosts: Codable, Sendable {
  /// The time and place of the measurement, in words.
  public var place: String
  /// The cores that callers and database shared.
  public var cores: Int
  /// The costs at each measured number of accounts.
  public var sizes: [SizeCosts]

  /// Makes a set of measured costs.
  public init(place: String, cores: Int, sizes: [SizeCosts]) {
    self.place = place
    self.cores = cores
    self.sizes = sizes
  }
}

/// The costs at one number of accounts.
public struct SizeCosts: Codable, Sendable {
  /// The number of accounts.
  public var accounts: Int
  /// The tables with their indexes.
  public var tables: [TableCost]
  /// The number of leaf pages of the index in which every change looks before it adds to it.
  public var leafPages: Int
  /// The time of one durable write of a page to the log, in microseconds.
  public var flush: Double
  /// The time of rebuilding the index of identities, in microseconds a row.
  public var indexRow: Double
  /// The costs with one caller.
  public var operations: [OperationCost]
  /// The results with more callers, which a simulation is compared with.
  public var measured: [LoadResult]

  /// Makes the costs of one size.
  public init(
    accounts: Int, tables: [TableCost], leafPages: Int, flush: Double, indexRow: Double,
    operations: [OperationCost], measured: [LoadResult]
  ) {
    self.accounts = accounts
    self.tables = tables
    self.leafPages = leafPages
    self.flush = flush
    self.indexRow = indexRow
    self.operations = operations
    self.measured = measured
  }

  /// The bytes of tables and indexes for each account.
  public var bytesPerAccount: Double {
    Double(tables.reduce(0) { $0 + $1.bytes + $1.indexBytes }) / Double(max(1, accounts))
  }

  /// Returns the cost of an operation, if it was measured.
  public func operation(_ name: String) -> OperationCost? {
    operations.first { $0.name == name }
  }
}

/// The size of a table.
public struct TableCost: Codable, Sendable {
  /// The table's name.
  public var name: String
  /// The bytes of the table itself.
  public var bytes: Int
  /// The bytes of its indexes.
  public var indexBytes: Int

  /// Makes the size of a table.
  public init(name: String, bytes: Int, indexBytes: Int) {
    self.name = name
    self.bytes = bytes
    self.indexBytes = indexBytes
  }
}

/// The cost of one operation for a single caller; times are in microseconds.
///
/// CPU times are those of callers on one core together with the database. A single caller with more cores wakes another
/// core at each round trip. That costs more than the work done there, and hardly happens with many callers. The
/// latencies are those of a caller with all cores.
public struct OperationCost: Codable, Sendable, Hashable {
  /// The operation's name.
  public var name: String
  /// The number of times that the caller waits for the database.
  public var roundTrips: Double
  /// The CPU time of the calling process.
  public var clientCPU: Double
  /// The CPU time of the database's process that serves the connection.
  public var serverCPU: Double
  /// The CPU time of the database's other processes, for which the caller does not wait.
  public var backgroundCPU: Double
  /// The number of commits that wait for the disk.
  public var flushes: Int
  /// The bytes written to the log.
  public var logBytes: Double
  /// The measured times, as quantiles at equal distances.
  public var latencies: [Double]

  /// Makes the cost of an operation.
  public init(
    name: String, roundTrips: Double, clientCPU: Double, serverCPU: Double, backgroundCPU: Double,
    flushes: Int, logBytes: Double, latencies: [Double]
  ) {
    self.name = name
    self.roundTrips = roundTrips
    self.clientCPU = clientCPU
    self.serverCPU = serverCPU
    self.backgroundCPU = backgroundCPU
    self.flushes = flushes
    self.logBytes = logBytes
    self.latencies = latencies
  }

  /// The mean latency; 0 without measurements.
  public var meanLatency: Double {
    latencies.isEmpty ? 0 : latencies.reduce(0, +) / Double(latencies.count)
  }
}

/// The result of a number of concurrent callers.
public struct LoadResult: Codable, Sendable, Hashable {
  /// The operation's name.
  public var operation: String
  /// The number of callers.
  public var callers: Int
  /// The operations a second.
  public var rate: Double
  /// The median time in microseconds.
  public var median: Double
  /// The time in microseconds that one operation in a hundred exceeds.
  public var slow: Double
  /// The CPU time of the calling process for each operation, in microseconds.
  public var clientCPU: Double
  /// The CPU time of the database for each operation, in microseconds.
  public var serverCPU: Double
  /// The number of repeated transactions for each operation.
  public var repeats: Double

  /// Makes a result.
  public init(
    operation: String, callers: Int, rate: Double, median: Double, slow: Double,
    clientCPU: Double = 0, serverCPU: Double = 0, repeats: Double = 0
  ) {
    self.operation = operation
    self.callers = callers
    self.rate = rate
    self.median = median
    self.slow = slow
    self.clientCPU = clientCPU
    self.serverCPU = serverCPU
    self.repeats = repeats
  }
}

/// Quantiles of measured values.
public enum Quantiles {
  /// Returns the value that the given share of the values does not exceed; 0 without values.
  ///
  /// The values have to be sorted.
  public static func value(_ share: Double, ofSorted values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let index = (share * Double(values.count)).rounded(.down)
    return values[min(values.count - 1, max(0, Int(index)))]
  }

  /// Returns `count` quantiles at equal distances, each in the middle of its share.
  public static func table(_ count: Int, ofSorted values: [Double]) -> [Double] {
    (0..<count).map { value((Double($0) + 0.5) / Double(count), ofSorted: values) }
  }
}
