package import AuthCore
import AuthTesting

/// The steps of one world, as they were done.
package struct PeopleHistory: Sendable, CustomStringConvertible {
  package var steps: [(number: Int, step: Step)] = []

  package init() {}

  package var description: String {
    steps.map { "\($0.number): \($0.step)" }.joined(separator: "\n")
  }

  /// What a random world came to: its steps, and what was broken by the last one.
  package struct Run: Sendable {
    package let history: PeopleHistory
    package let violations: [Violation]
  }

  /// Lives a world until something is broken, or for a number of steps, without the kinds that are passed over.
  package static func random(
    seed: UInt64, count: Int, without kinds: Set<String> = []
  ) async throws -> Run {
    let world = try await PeopleWorld()
    var generator = SeededGenerator(seed: seed)
    var history = PeopleHistory()
    for number in 1...count {
      let step = await world.choose(generator.next())
      guard !kinds.contains(step.kind) else { continue }
      history.steps.append((number, step))
      let violations = try await world.act(step, as: number)
      guard violations.isEmpty else { return Run(history: history, violations: violations) }
    }
    return Run(history: history, violations: [])
  }

  /// Does the steps once more; returns what is broken first.
  package func repeated(on store: any AccountStore = MemoryStore()) async throws -> [Violation] {
    let world = try await PeopleWorld(store: store)
    for (number, step) in steps {
      let violations = try await world.act(step, as: number)
      guard violations.isEmpty else { return violations }
    }
    return []
  }

  /// Leaves out steps for as long as what is left breaks the same.
  package func shrunk(to name: String) async throws -> PeopleHistory {
    var kept = self
    var size = max(1, steps.count / 2)
    while true {
      var start = 0
      var hasShrunk = false
      while start < kept.steps.count {
        var shorter = kept
        shorter.steps.removeSubrange(start..<min(start + size, kept.steps.count))
        if try await shorter.repeated().contains(where: { $0.name == name }) {
          kept = shorter
          hasShrunk = true
        } else {
          start += size
        }
      }
      guard size > 1 || hasShrunk else { return kept }
      size = max(1, size / 2)
    }
  }
}
