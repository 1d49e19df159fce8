package import AuthCore
import AuthTesting

/// The steps of one world, in order.
package struct PeopleHistory: Sendable, CustomStringConvertible {
  package var steps: [(number: Int, step: Step)] = []

  package init() {}

  package var description: String {
    steps.map { "\($0.number): \($0.step)" }.joined(separator: "\n")
  }

  /// The result of a random world: its steps, and the violations of the last one.
  package struct Run: Sendable {
    package let history: PeopleHistory
    package let violations: [Violation]
  }

  /// Runs a world until a violation or for a number of steps, without some kinds of steps.
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

  /// Repeats the steps, and returns the first violations.
  package func repeated(on store: any AccountStore = MemoryStore()) async throws -> [Violation] {
    let world = try await PeopleWorld(store: store)
    for (number, step) in steps {
      let violations = try await world.act(step, as: number)
      guard violations.isEmpty else { return violations }
    }
    return []
  }

  /// Removes steps as long as the rest has the same violation.
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
