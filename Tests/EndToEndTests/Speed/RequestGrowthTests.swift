import Testing
import TestSupport

/// What requests cost that have more entries than any client sends, in instructions.
@Suite(.serialized) struct `S1 The cost of a request` {
  /// Every list and object of every operation is refused at its bound: sixteen times the entries are only more bytes
  /// to copy.
  @Test func `does not grow with the entries of a body`() async throws {
    let (few, more, most) = try await costs("bodies")
    #expect(more <= few * 1.02, "Something loops over what is in a body.")
    #expect(most <= few * 1.02, "Something loops over what is in a body.")
  }

  /// Forms, queries, words and header fields grow by what has to be read of them, and no faster.
  @Test func `grows no faster than what is read`() async throws {
    let (few, more, most) = try await costs("texts")
    #expect(more <= few * 4.4, "Something loops over a text's parts for each of them.")
    #expect(most <= more * 4.4, "Something loops over a text's parts for each of them.")
  }

  /// The instructions that a server takes for 2,000, 8,000 and 32,000 entries, without those that make the requests.
  private func costs(_ kind: String) async throws -> (Double, Double, Double) {
    func counted(_ entries: Int, _ more: String...) async throws -> Double {
      try await blocking {
        try Instructions.counted(of: ["requests", kind, "--entries", "\(entries)"] + more)
      }
    }
    func cost(_ entries: Int) async throws -> Double {
      let made = try await counted(entries, "--unsent")
      return try await counted(entries) - made
    }
    // Two at once, for a count takes no heed of what else runs.
    async let most = cost(32_000)
    let few = try await cost(2000)
    let more = try await cost(8000)
    let counts = (few, more, try await most)
    print("\(kind): \(counts)")
    return counts
  }
}
