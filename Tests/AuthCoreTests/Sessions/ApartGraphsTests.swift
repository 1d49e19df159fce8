import AuthTesting
import Testing

@Suite struct `Graphs whose clocks do not agree` {
  @Test(arguments: [[0, -300, 300], [0, -2, 2], [0, -1, 30], [0, 0, 0]], [1, 2, 3])
  func `D5: an ended session never goes on, and no other one is over`(
    _ ahead: [Int64], _ seed: UInt64
  ) async throws {
    var generator = SeededGenerator(seed: seed)
    var graphs = ApartGraphs(ahead: ahead)
    try await graphs.run(steps: 120, using: &generator)
    #expect(graphs.faults.isEmpty, "seed \(seed): \(graphs.faults.first ?? "")")
    #expect(graphs.counts.ended > 20 && graphs.counts.renewed > 100, "\(graphs.counts)")
  }
}
