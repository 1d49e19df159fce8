/// A state that a search returns to: the store's rows and the world's knowledge.
struct SavedWorld: Sendable {
  let rows: WorldRows
  let known: PeopleWorld.Known
  let trail: Trail

  /// The steps that led to a state.
  ///
  /// States share their common beginnings.
  final class Trail: Sendable {
    let start: StartingWorld
    /// The last step; nil at the beginning.
    let step: Step?
    private let before: Trail?
    /// The number of steps, including those of the starting world.
    let count: Int
    /// The number of the search's own steps.
    let depth: Int

    init(_ start: StartingWorld) {
      (self.start, step, before, count, depth) = (start, nil, nil, start.steps.count, 0)
    }

    init(_ step: Step, after before: Trail) {
      start = before.start
      (self.step, self.before) = (step, before)
      (count, depth) = (before.count + 1, before.depth + 1)
    }

    var history: PeopleHistory {
      var steps: [Step] = []
      var trail: Trail? = self
      while let last = trail, let step = last.step {
        steps.append(step)
        trail = last.before
      }
      var history = PeopleHistory()
      let all = start.steps + steps.reversed()
      history.steps = all.enumerated().map { ($0.offset + 1, $0.element) }
      return history
    }
  }
}
