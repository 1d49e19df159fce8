// What each size of a service costs: measured costs in, machines, times and limits out. Start with `MeasuredCosts`
// (the input), `Sizing` (the arithmetic) and `ClosedSimulation` (what many callers at once do). Imports nothing
// but Foundation, and knows neither accounts nor stores.

/// What one machine was measured to spend, which everything else is computed from.
public struct MeasuredCosts: Codable, Sendable {
  /// When and where, in words.
  public var place: String
  /// The cores that callers and database shared.
  public var cores: Int
  public var sizes: [SizeCosts]

  public init(place: String, cores: Int, sizes: [SizeCosts]) {
    self.place = place
    self.cores = cores
    self.sizes = sizes
  }
}

/// The costs where a store has some number of accounts.
public struct SizeCosts: Codable, Sendable {
  public var accounts: Int
  /// Tables with their indexes.
  public var tables: [TableCost]
  /// The leaf pages of the index in which every change looks before it adds to it.
  public var leafPages: Int
  /// What one durable write of a page to the log takes, in microseconds.
  public var flush: Double
  /// Microseconds a row of building the index of identities anew.
  public var indexRow: Double
  /// With one caller.
  public var operations: [OperationCost]
  /// With more callers; what a simulation is compared with.
  public var measured: [LoadResult]

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

  /// Bytes of tables and indexes an account.
  public var bytesPerAccount: Double {
    Double(tables.reduce(0) { $0 + $1.bytes + $1.indexBytes }) / Double(max(1, accounts))
  }

  public func operation(_ name: String) -> OperationCost? {
    operations.first { $0.name == name }
  }
}

/// A table's size.
public struct TableCost: Codable, Sendable {
  public var name: String
  public var bytes: Int
  public var indexBytes: Int

  public init(name: String, bytes: Int, indexBytes: Int) {
    self.name = name
    self.bytes = bytes
    self.indexBytes = indexBytes
  }
}

/// What one operation costs a caller who is alone; times are in microseconds.
///
/// CPU is that of a caller on one core together with the database. One who has more cores wakes another at each round
/// trip, which costs more than what is then done on it, and which many callers hardly ever do. The times are those of a
/// caller who has all cores.
public struct OperationCost: Codable, Sendable, Hashable {
  public var name: String
  /// How often the caller waits for the database.
  public var roundTrips: Double
  /// CPU of the process that calls.
  public var clientCPU: Double
  /// CPU of the database's process that serves the connection.
  public var serverCPU: Double
  /// CPU of the database's other processes, which nobody waits for.
  public var backgroundCPU: Double
  /// Commits that wait for the disk.
  public var flushes: Int
  public var logBytes: Double
  /// The times that it took, as quantiles at equal distances.
  public var latencies: [Double]

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

  public var meanLatency: Double {
    latencies.isEmpty ? 0 : latencies.reduce(0, +) / Double(latencies.count)
  }
}

/// What some number of callers got.
public struct LoadResult: Codable, Sendable, Hashable {
  public var operation: String
  public var callers: Int
  /// Operations a second.
  public var rate: Double
  /// In microseconds.
  public var median: Double
  /// The time that one in a hundred takes longer than, in microseconds.
  public var slow: Double
  public var clientCPU: Double
  public var serverCPU: Double
  /// Transactions that were run again, an operation.
  public var repeats: Double

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

/// Quantiles of what was measured.
public enum Quantiles {
  /// The value that the given share of the values is not above; 0 of none.
  ///
  /// The values have to be sorted.
  public static func value(_ share: Double, ofSorted values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let index = (share * Double(values.count)).rounded(.down)
    return values[min(values.count - 1, max(0, Int(index)))]
  }

  /// A number of quantiles at equal distances, each in the middle of its share.
  public static func table(_ count: Int, ofSorted values: [Double]) -> [Double] {
    (0..<count).map { value((Double($0) + 0.5) / Double(count), ofSorted: values) }
  }
}
