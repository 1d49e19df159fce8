/// Distributes the width of a terminal among the columns of a table.
struct ColumnWidths {
  /// The width that one column of the table needs.
  struct Demand {
    /// The width of the widest cell.
    var natural: Int
    /// The smallest useful width.
    var least: Int
  }

  /// Returns widths whose sum is at most `available`; nil if that is impossible.
  ///
  /// The widest columns shrink first, all to the same width. No column gets less than its `least`.
  static func fitting(_ demands: [Demand], into available: Int) -> [Int]? {
    guard demands.reduce(0, { $0 + $1.least }) <= available else { return nil }
    func widths(cappedAt cap: Int) -> [Int] {
      demands.map { max(min($0.natural, cap), min($0.least, $0.natural)) }
    }
    var low = 0
    var high = demands.map(\.natural).max() ?? 0
    while low < high {
      let middle = (low + high + 1) / 2
      if widths(cappedAt: middle).reduce(0, +) <= available {
        low = middle
      } else {
        high = middle - 1
      }
    }
    var result = widths(cappedAt: low)
    var spare = available - result.reduce(0, +)
    for index in result.indices where spare > 0 && result[index] < demands[index].natural {
      result[index] += 1
      spare -= 1
    }
    return result
  }
}
