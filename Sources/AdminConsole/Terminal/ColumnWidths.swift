/// Shares the columns of a terminal among the columns of a table.
struct ColumnWidths {
  /// What one column of the table asks for.
  struct Demand {
    /// What its widest cell takes.
    var natural: Int
    /// What it cannot do without.
    var least: Int
  }

  /// Finds widths whose sum is at most `available`, or nothing when that cannot be done.
  ///
  /// The widest columns give way first, all to the same width; no column falls below its least.
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
