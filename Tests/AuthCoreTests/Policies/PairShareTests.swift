import Testing

@testable import AuthCore

@Suite struct `The share of a canary` {
  private let pairs = (0..<10_000).map { (AccountID("uid-\($0)"), AccountID("other-\($0 * 7)")) }

  @Test func `does not depend on the order of the two`() {
    for (a, b) in pairs {
      #expect(PairShare(0.3).contains(a, b) == PairShare(0.3).contains(b, a))
    }
  }

  @Test(arguments: [0.01, 0.1, 0.5, 0.9])
  func `is about as large as it says`(share: Double) {
    let chosen = pairs.count { PairShare(share).contains($0, $1) }
    #expect(abs(Double(chosen) - share * 10_000) < 250, "\(chosen)")
  }

  @Test func `contains every smaller one`() {
    for (a, b) in pairs where PairShare(0.1).contains(a, b) {
      #expect(PairShare(0.2).contains(a, b))
    }
    #expect(!pairs.contains { PairShare(0).contains($0, $1) })
    #expect(pairs.allSatisfy { PairShare(1).contains($0, $1) })
  }

  @Test func `separates uids that are equal when joined`() {
    let joined = (0..<200).map { number in
      (
        PairShare(0.5).contains(AccountID("a\(number)b"), AccountID("c")),
        PairShare(0.5).contains(AccountID("a\(number)"), AccountID("bc"))
      )
    }
    #expect(joined.contains { $0 != $1 })
  }
}
