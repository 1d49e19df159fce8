import Testing
import TestSupport

/// The instructions of requests with more entries than any client sends.
@Suite(.serialized) struct `S1 The cost of a request` {
  /// Every list and object of every operation is refused at its limit: with sixteen times the entries, there are only
  /// more bytes to copy.
  @Test func `does not grow with the entries of a body`() async throws {
    let costs = try await costs("bodies")
    for more in costs.dropFirst() {
      #expect(more <= costs[0] * 1.02, "Something loops over what is in a body.")
    }
  }

  /// The cost of forms, queries, words and header fields grows with what has to be read, and no faster.
  @Test func `grows no faster than what is read`() async throws {
    let costs = try await costs("texts")
    for (few, more) in zip(costs, costs.dropFirst()) {
      #expect(more <= few * 4.4, "Something loops over a text's parts for each of them.")
    }
  }

  /// Returns the instructions of a server for 2,000 and 8,000 entries, and in a soak for 32,000, without those that
  /// make the requests.
  private func costs(_ kind: String) async throws -> [Double] {
    func counted(_ entries: Int, _ more: String...) async throws -> Double {
      try await blocking {
        try Instructions.counted(of: ["requests", kind, "--entries", "\(entries)"] + more)
      }
    }
    var costs: [Double] = []
    for entries in [2000, 8000] + (TestBudget.isSoak ? [32_000] : []) {
      // Two at once, because counts do not depend on other processes.
      async let made = counted(entries, "--unsent")
      let all = try await counted(entries)
      costs.append(all - (try await made))
    }
    print("\(kind): \(costs)")
    return costs
  }
}
