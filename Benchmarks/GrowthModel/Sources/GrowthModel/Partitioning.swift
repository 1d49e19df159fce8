import Foundation

/// Accounts spread over partitions by a hash of scope and uid, and the indexes of identities and addresses by a hash of
/// their own keys.
///
/// A key's owner is then found by asking one partition, and that partition alone keeps the key unique. The price is that
/// a change of an account and of a key concerns two partitions, mostly.
public struct Partitioning: Sendable {
  public var partitions: Int
  /// A round trip between two machines, in microseconds.
  public var network: Double

  public init(partitions: Int, network: Double = 300) {
    self.partitions = max(1, partitions)
    self.network = network
  }

  /// Different partitions that a number of independent keys fall into, on average: P (1 − (1 − 1/P)ᵏ).
  public func distinct(keys: Double) -> Double {
    let count = Double(partitions)
    return count * (1 - pow(1 - 1 / count, keys))
  }

  /// Partitions that an operation changes, on average.
  public func written(_ pages: PagesOfOperation) -> Double {
    pages.changed == 0 ? 0 : distinct(keys: 1 + pages.keysWritten)
  }

  /// The share of operations of a kind that change more than one partition.
  public func sharedByTwo(_ pages: PagesOfOperation) -> Double {
    guard pages.changed > 0 else { return 0 }
    return 1 - pow(1 / Double(partitions), pages.keysWritten)
  }

  /// What an operation costs in a service of partitions.
  ///
  /// Each key that is read costs a round trip, unless it lies with the account. Changing several partitions is a
  /// two-phase commit: all prepare at once, the decision is written, all commit at once; three flushes one after the
  /// other instead of one, two more round trips, and each partition but the first flushes and computes for itself.
  public func cost(of cost: OperationCost, _ pages: PagesOfOperation, flush: Double)
    -> OperationCost
  {
    let away = 1 - 1 / Double(partitions)
    let shared = sharedByTwo(pages)
    let trips = pages.keysRead * away + 2 * shared
    let others = max(0, written(pages) - 1)
    var result = cost
    result.roundTrips += trips
    // A prepared transaction is a commit twice: half of a change's work, by assumption, where it is a guest.
    result.serverCPU *= 1 + others * 0.5
    result.clientCPU *= 1 + trips / max(1, cost.roundTrips) * 0.5
    result.logBytes *= 1 + others * 0.5
    let longer = trips * network + 2 * shared * flush
    result.latencies = cost.latencies.map { $0 + longer }
    return result
  }
}
