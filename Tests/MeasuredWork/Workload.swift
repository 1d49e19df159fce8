public import AuthCore
import AuthTesting

/// The accounts that operations are measured on, and which are next.
public struct Workload {
  public static let scope = Scope(project: "bench")
  public static let linked = ProviderID("github.com")
  public static let time = Timestamp(milliseconds: 1_700_000_000_000)

  /// The numbers of accounts in an order that has nothing to do with their uids or places.
  private let order: [UInt32]
  private var next = 0

  public init(accounts: Int, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    order = (0..<UInt32(accounts)).shuffled(using: &generator)
  }

  /// The accounts that are merged, which nothing else is done to: two fifths.
  private var mergeable: Int { order.count * 2 / 5 }
  private var merged = 0

  /// The next numbers; after the last come the first again, but for merges, which find fewer in the end.
  public mutating func take(_ count: Int, for operation: StoreOperation) -> [UInt32] {
    if operation.isMerge {
      let end = min(merged + 2 * count, mergeable / 2 * 2)
      defer { merged = end }
      return Array(order[merged..<end])
    }
    let others = order.count - mergeable
    defer { next += count }
    return (0..<count).map { order[mergeable + (next + $0) % others] }
  }
}
