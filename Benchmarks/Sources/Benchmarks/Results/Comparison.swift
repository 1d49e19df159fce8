import Foundation

/// The result of comparing two contenders in several rounds.
struct Comparison: Codable, Sendable {
  /// The median of some rounds' values, with the minimum and the maximum.
  struct Spread: Codable, Sendable {
    let median: Double
    let least: Double
    let most: Double

    init(_ values: [Double]) {
      let sorted = values.sorted()
      median = sorted[sorted.count / 2]
      least = sorted[0]
      most = sorted[sorted.count - 1]
    }
  }

  /// The results of one contender.
  struct Side: Codable, Sendable {
    /// The operations a second.
    let rate: Spread
    /// The median latency in microseconds.
    let latency: Spread
    /// The processor time of this process for each operation, in microseconds.
    let processor: Spread

    init(_ runs: [Run]) {
      rate = Spread(runs.map(\.rate))
      latency = Spread(runs.map(\.median))
      processor = Spread(runs.map(\.processor))
    }
  }

  /// The subject: a store, or a part of the program.
  let subject: String
  let operation: String
  /// The number of accounts, if it matters.
  let accounts: Int?
  let callers: Int
  let limitName: String
  let ours: Side
  let limit: Side
  /// Our result as a fraction of the limit's: of latencies for a single caller, of rates for many.
  let ratio: Double
  /// The required ratio, if any.
  let goal: Double?

  init(
    subject: String, operation: String, limitName: String, accounts: Int? = nil, callers: Int = 1,
    ours: [Run], limit: [Run], goal: Double?
  ) {
    self.subject = subject
    self.operation = operation
    self.accounts = accounts
    self.callers = callers
    self.limitName = limitName
    self.ours = Side(ours)
    self.limit = Side(limit)
    self.goal = goal
    ratio =
      callers == 1
      ? self.limit.latency.median / self.ours.latency.median
      : self.ours.rate.median / self.limit.rate.median
  }

  static let header = row([
    "what", "operation", "accounts", "callers", "ours/s (min-max)", "limit/s (min-max)",
    "p50 µs", "limit", "CPU µs", "limit", "ratio", "goal",
  ])

  var line: String {
    Self.row([
      subject, operation, accounts.map(String.init) ?? "-", "\(callers)", Self.shown(ours.rate),
      Self.shown(limit.rate),
      Self.number(ours.latency.median), Self.number(limit.latency.median),
      Self.number(ours.processor.median), Self.number(limit.processor.median),
      Self.ratio(ratio), goal.map(Self.ratio) ?? "-",
    ])
  }

  private static func row(_ cells: [String]) -> String {
    let widths = [8, 9, 9, 8, 24, 24, 9, 9, 8, 8, 6, 5]
    return zip(cells, widths).map { cell, width in
      cell + String(repeating: " ", count: max(0, width - cell.count))
    }.joined(separator: " ")
  }

  private static func shown(_ spread: Spread) -> String {
    "\(number(spread.median)) (\(number(spread.least))-\(number(spread.most)))"
  }

  private static func number(_ value: Double) -> String {
    value < 100 ? String(format: "%.1f", value) : String(format: "%.0f", value)
  }

  private static func ratio(_ value: Double) -> String { String(format: "%.2f", value) }
}

/// The content of a results file.
private struct ResultsFile: Encodable {
  let comparisons: [Comparison]
  let growth: [CostGrowth]
}

extension [Comparison] {
  /// Writes the results as JSON if a file is named, with the growth of costs if numbers of accounts differ.
  func write(json file: String?) throws {
    guard let file else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(ResultsFile(comparisons: self, growth: growth))
      .write(to: URL(filePath: file))
  }
}
