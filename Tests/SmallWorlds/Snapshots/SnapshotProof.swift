import NIOConcurrencyHelpers

/// Tries the rules on every small snapshot, once for all that differ only in names, without a store.
package struct SnapshotProof: Sendable {
  package struct Bounds: Sendable {
    /// The size of the snapshots: the approximate total of addresses, identities and flags in the accounts of a
    /// request.
    package var size = 4
    package var seconds = 120.0
    package var tasks = 2
    /// The seed of the names under which decisions are repeated.
    package var seed: UInt64 = 0
    /// The interval of cases that are repeated under other names: 1 in `renamed`.
    package var renamed: UInt64 = 4

    package init() {}
  }

  package struct Counterexample: Sendable, CustomStringConvertible {
    package let violation: Violation
    /// The state as a script for the admin's console.
    package let script: String
    /// The steps of the trace, a line each.
    package let trace: String
    /// True if the rules violate a law there without a planted fault.
    package let isOfTheRules: Bool

    package var description: String {
      "\(violation)\n\(trace)\n\nFor the console:\n\(script)"
    }
  }

  package struct Result: Sendable {
    /// The number of decided states.
    package let decided: Int
    /// The number of states that those represent.
    package let states: Int
    package let duration: Duration
    /// True if every state of the size was decided.
    package let isComplete: Bool
    package let counterexample: Counterexample?
  }

  private let bounds: Bounds
  private let fault: PlantedRule?

  package init(fault: PlantedRule? = nil, _ bounds: Bounds = Bounds()) {
    (self.fault, self.bounds) = (fault, bounds)
  }

  package func run() async throws -> Result {
    let start = ContinuousClock.now
    let questions = Question.normal.filter { fault?.kinds.contains($0.kind) ?? true }
    let progress = SnapshotProgress(questions, until: start + .seconds(bounds.seconds))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<bounds.tasks {
        group.addTask { [bounds, fault] in
          let examiner = SnapshotExaminer(fault, bounds)
          while let question = progress.next() { try examiner.examine(question, progress) }
        }
      }
      try await group.waitForAll()
    }
    return progress.result(after: ContinuousClock.now - start)
  }
}

/// The shared counters of the tasks.
final class SnapshotProgress: Sendable {
  private struct Box {
    var open: [Question]
    var decided = 0
    var states = 0
    var first: SnapshotProof.Counterexample?
    var isOver = false
  }

  private let box: NIOLockedValueBox<Box>
  private let end: ContinuousClock.Instant

  init(_ questions: [Question], until end: ContinuousClock.Instant) {
    box = NIOLockedValueBox(Box(open: questions.reversed()))
    self.end = end
  }

  var isOver: Bool { box.withLockedValue(\.isOver) }

  /// Returns a question that no task has taken, or nil if there are no more or the proof is over.
  func next() -> Question? {
    box.withLockedValue { $0.isOver ? nil : $0.open.popLast() }
  }

  func add(decided: Int, states: Int) {
    let isLate = ContinuousClock.now >= end
    box.withLockedValue { box in
      box.decided += decided
      box.states += states
      if isLate { box.isOver = true }
    }
  }

  func note(_ counterexample: SnapshotProof.Counterexample) {
    box.withLockedValue { box in
      box.first = box.first ?? counterexample
      box.isOver = true
    }
  }

  func result(after duration: Duration) -> SnapshotProof.Result {
    box.withLockedValue { box in
      SnapshotProof.Result(
        decided: box.decided, states: box.states, duration: duration,
        isComplete: !box.isOver, counterexample: box.first)
    }
  }
}
