import Foundation

/// A task that is done in two ways, measured in turns.
struct Pair: Sendable {
  typealias Work = @Sendable (_ number: Int) async throws -> Void

  /// The subject, such as `tokens`.
  let subject: String
  let operation: String
  let limitName: String
  var goal: Double?
  /// The number of accounts, if it matters.
  var accounts: Int?
  /// The number of repetitions in a round.
  let times: Int
  let ours: Work
  let limit: Work

  /// Measures both, prints and returns the comparison.
  func compare(rounds: Int) async throws -> Comparison {
    var (mine, others): ([Run], [Run]) = ([], [])
    // The first round fills the caches and is not counted.
    for round in 0...rounds {
      let measured = try await timed(ours)
      let compared = try await timed(limit)
      guard round > 0 else { continue }
      mine.append(measured)
      others.append(compared)
    }
    let comparison = Comparison(
      subject: subject, operation: operation, limitName: limitName, accounts: accounts, ours: mine,
      limit: others, goal: goal)
    print(comparison.line)
    return comparison
  }

  private func timed(_ work: Work) async throws -> Run {
    try await Run.timed {
      var latencies: [Double] = []
      latencies.reserveCapacity(times)
      for number in 0..<times {
        let start = ContinuousClock.now
        try await work(number)
        latencies.append((ContinuousClock.now - start) / .microseconds(1))
      }
      return latencies
    }
  }
}

extension [Pair] {
  /// Compares each pair, prints the results, and writes them as JSON if a file is named.
  func compare(rounds: Int, json: String?) async throws {
    print(Comparison.header)
    var results: [Comparison] = []
    for pair in self { results.append(try await pair.compare(rounds: rounds)) }
    try results.write(json: json)
  }
}
