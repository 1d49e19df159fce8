import Foundation

/// A service that spreads accounts over partitions by a hash of scope and uid, and the indexes of identities and
/// addresses by a hash of their own keys.
///
/// The owner of a key is then found in one partition, which alone keeps the key unique. In return, a change of an
/// account and a key mostly concerns two partitions.
public struct Partitioning: Sendable {
  /// The number of partitions.
  public var partitions: Int
  /// A round trip between two machines, in microseconds.
  public var network: Double

  /// Makes a partitioned service.
  public init(partitions: Int, network: Double = 300) {
    self.partitions = max(1, partitions)
    self.network = network
  }

  /// Returns the mean number of different partitions for independent keys: P (1 − (1 − 1/P)ᵏ).
  public func distinct(keys: Double) -> Double {
    let count = Double(partitions)
    return count * (1 - pow(1 - 1 / count, keys))
  }

  /// Returns the mean number of partitions that an operation changes.
  public func written(_ pages: PagesOfOperation) -> Double {
    pages.changed == 0 ? 0 : distinct(keys: 1 + pages.keysWritten)
  }

  /// Returns the share of operations of a kind that change more than one partition.
  public func sharedByTwo(_ pages: PagesOfOperation) -> Double {
    guard pages.changed > 0 else { return 0 }
    return 1 - pow(1 / Double(partitions), pages.keysWritten)
  }

  /// Returns the cost of an operation in a partitioned service.
  ///
  /// Each key that is read costs a round trip, unless it is in the account's partition. A change of several partitions
  /// is a two-phase commit: all prepare at once, the decision is written, all commit at once. That takes three
  /// consecutive flushes instead of one and two more round trips, and each partition but the first has its own flush
  /// and CPU time.
  public func cost(of cost: OperationCost, _ pages: PagesOfOperation, flush: Double)
    -> OperationCost
  {
    let away = 1 - 1 / Double(partitions)
    let shared = sharedByTwo(pages)
    let trips = pages.keysRead * away + 2 * shared
    let others = max(0, written(pages) - 1)
    var result = cost
    result.roundTrips += trips
    // A prepared transaction commits twice: by assumption, half of a change's work in each additional partition.
    result.serverCPU *= 1 + others * 0.5
    result.clientCPU *= 1 + trips / max(1, cost.roundTrips) * 0.5
    result.logBytes *= 1 + others * 0.5
    let longer = trips * network + 2 * shared * flush
    result.latencies = cost.latencies.map { $0 + longer }
    return result
  }
}
