/// Tries every step in every state that few steps lead to, breadth first, and so finds a shortest history of a fault.
package struct SmallWorldSearch: Sendable {
  package struct Bounds: Sendable {
    /// The maximum number of steps after those of the starting worlds.
    package var depth = 100
    package var states = Int.max
    package var seconds = 120.0
    package var tasks = 2
    /// The maximum number of states of a level that are followed; the others are checked and left.
    package var width = 400_000
    /// Names of violations that are ignored; nothing is tried after them.
    package var known: Set<String> = []

    package init() {}
  }

  package struct Counterexample: Sendable {
    package let start: StartingWorld
    package let history: PeopleHistory
    package let violations: [Violation]
    /// The history as a script for the admin's console, as far as it can express it.
    package let script: String
    /// The number of the search's own steps.
    package let depth: Int
  }

  package struct Result: Sendable {
    package let states: Int
    package let operations: Int
    package let duration: Duration
    /// The number of steps up to which every history was tried.
    package let completeDepth: Int
    package let counterexample: Counterexample?
  }

  private let starts: [StartingWorld]
  private let fault: PlantedFault?
  private let bounds: Bounds

  package init(
    from starts: [StartingWorld] = StartingWorld.allCases, fault: PlantedFault? = nil,
    _ bounds: Bounds = Bounds()
  ) {
    (self.starts, self.fault, self.bounds) = (starts, fault, bounds)
  }

  package func run() async throws -> Result {
    let start = ContinuousClock.now
    let progress = SearchProgress(bounds, from: start)
    let seen = SeenStates()
    var (level, depth, completeDepth, isComplete) = ([SavedWorld](), 0, 0, true)
    for first in starts {
      level += try await SearchedWorld(fault).begin(first, progress, seen)
    }
    while !level.isEmpty, depth < bounds.depth, !progress.isOver {
      depth += 1
      let isLast = depth == bounds.depth
      let next = try await follow(level, progress, seen, keeping: isLast ? 0 : bounds.width)
      if isComplete && !progress.isOver { completeDepth = depth }
      isComplete = isComplete && next.isComplete
      level = next.level
    }
    return Result(
      states: progress.states, operations: progress.operations,
      duration: ContinuousClock.now - start, completeDepth: completeDepth,
      counterexample: progress.first)
  }

  /// Performs every step in every world of a level.
  ///
  /// Returns the next level, and true if it is complete.
  private func follow(
    _ level: [SavedWorld], _ progress: SearchProgress, _ seen: SeenStates, keeping most: Int
  ) async throws -> (level: [SavedWorld], isComplete: Bool) {
    progress.beginLevel()
    let share = most / bounds.tasks
    return try await withThrowingTaskGroup(of: (level: [SavedWorld], isComplete: Bool).self) {
      group in
      for _ in 0..<bounds.tasks {
        group.addTask { [fault, bounds] in
          try await SearchedWorld(fault).follow(
            level, progress, seen, keeping: share, passingOver: bounds.known)
        }
      }
      return try await group.reduce(into: ([], true)) { all, next in
        all.level += next.level
        all.isComplete = all.isComplete && next.isComplete
      }
    }
  }
}
