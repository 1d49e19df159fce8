import Foundation
import MeasuredWork

/// The growth of an operation's cost with the number of accounts.
struct CostGrowth: Codable {
  let subject: String
  let operation: String
  let callers: Int
  let sizes: ClosedRange<Int>
  /// The cost with the most accounts as a multiple of that with the fewest.
  let ours: Double
  let limit: Double
  /// The growth of the logarithm, which a tree search has; nil if a page of all accounts is read.
  let most: Double?

  init?(_ comparisons: [Comparison]) {
    let sorted = comparisons.sorted { $0.accounts ?? 0 < $1.accounts ?? 0 }
    guard let first = sorted.first, let last = sorted.last, let fewest = first.accounts,
      let most = last.accounts, fewest < most
    else { return nil }
    (subject, operation, callers) = (first.subject, first.operation, first.callers)
    sizes = fewest...most
    ours = last.ours.cost(callers: callers) / first.ours.cost(callers: callers)
    limit = last.limit.cost(callers: callers) / first.limit.cost(callers: callers)
    let isBounded = StoreOperation(rawValue: operation)?.isList != true
    self.most = isBounded ? log(Double(most)) / log(Double(fewest)) : nil
  }

  var line: String {
    let goal = most.map { String(format: "at most %.2f wanted", $0) } ?? "no bound"
    return "\(subject) \(operation), callers: \(callers), accounts: \(sizes.lowerBound) to "
      + "\(sizes.upperBound): "
      + String(format: "%.2f times the cost, the limit's %.2f; ", ours, limit) + goal
  }
}

extension Comparison.Side {
  /// Returns the latency for a single caller; with many callers, the time for each operation.
  fileprivate func cost(callers: Int) -> Double {
    callers == 1 ? latency.median : 1 / rate.median
  }
}

extension [Comparison] {
  /// The growth of each operation that was measured with several numbers of accounts.
  var growth: [CostGrowth] {
    var groups: [(key: String, members: [Comparison])] = []
    for comparison in self {
      let key = "\(comparison.subject) \(comparison.operation) \(comparison.callers)"
      if let index = groups.firstIndex(where: { $0.key == key }) {
        groups[index].members.append(comparison)
      } else {
        groups.append((key, [comparison]))
      }
    }
    return groups.compactMap { CostGrowth($0.members) }
  }
}
