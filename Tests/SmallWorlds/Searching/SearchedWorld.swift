/// A world in which a task of a search performs steps and undoes them.
struct SearchedWorld {
  private let store: WorldStore
  private let fault: PlantedFault?

  init(_ fault: PlantedFault?) {
    self.fault = fault
    store = WorldStore(fault.map(FaultyTables.init) ?? WorldTables())
  }

  /// Runs a starting world.
  ///
  /// Returns it unless it has a violation already.
  func begin(
    _ start: StartingWorld, _ progress: SearchProgress, _ seen: SeenStates
  ) async throws -> [SavedWorld] {
    let world = try await PeopleWorld(store: store, fault: fault)
    return try await world.begin(start, on: store, progress, seen)
  }

  /// Performs every step in worlds of a level until there are none left, and returns those of the next level.
  func follow(
    _ level: [SavedWorld], _ progress: SearchProgress, _ seen: SeenStates, keeping most: Int,
    passingOver names: Set<String>
  ) async throws -> (level: [SavedWorld], isComplete: Bool) {
    let world = try await PeopleWorld(store: store, fault: fault)
    return try await world.follow(
      level, on: store, progress, seen, keeping: most, passingOver: names)
  }
}

extension PeopleWorld {
  fileprivate func begin(
    _ start: StartingWorld, on store: WorldStore, _ progress: SearchProgress, _ seen: SeenStates
  ) async throws -> [SavedWorld] {
    let trail = SavedWorld.Trail(start)
    for (number, step) in trail.history.steps {
      var violations = try await act(step, as: number)
      violations += structure(of: store)?.violations() ?? []
      // A starting world that the rules refuse is an error.
      if fault == nil, let error = last?.outcome.error { throw error }
      guard violations.isEmpty else {
        progress.note(counterexample(violations, trail))
        return []
      }
    }
    progress.add(states: 1, operations: trail.count)
    return seen.insert(StateWriter.digest(known, store.rows))
      ? [SavedWorld(rows: store.rows, known: known, trail: trail)] : []
  }

  fileprivate func follow(
    _ level: [SavedWorld], on store: WorldStore, _ progress: SearchProgress, _ seen: SeenStates,
    keeping most: Int, passingOver names: Set<String>
  ) async throws -> (level: [SavedWorld], isComplete: Bool) {
    var next: [SavedWorld] = []
    var isComplete = true
    while let place = progress.next(of: level.count) {
      let saved = level[place]
      known = saved.known
      let steps = possibleSteps()
      var states = 0
      for step in steps {
        store.rows = saved.rows
        known = saved.known
        var violations = try await act(step, as: saved.trail.count + 1)
        // A refusal changes nothing, which the auditor has checked.
        if last?.outcome.error == nil { violations += structure(of: store)?.violations() ?? [] }
        let isKnown = !violations.isEmpty && violations.allSatisfy { names.contains($0.name) }
        guard violations.isEmpty || isKnown else {
          progress.note(counterexample(violations, SavedWorld.Trail(step, after: saved.trail)))
          return (next, false)
        }
        guard !isKnown, last?.outcome.error == nil else { continue }
        forgetDoubles()
        guard seen.insert(StateWriter.digest(known, store.rows)) else { continue }
        states += 1
        // States with many accounts are checked, but not followed.
        guard accounts.count <= Self.mostAccounts else { continue }
        if next.count < most {
          let trail = SavedWorld.Trail(step, after: saved.trail)
          next.append(SavedWorld(rows: store.rows, known: known, trail: trail))
        } else {
          isComplete = false
        }
      }
      progress.add(states: states, operations: steps.count)
    }
    return (next, isComplete)
  }

  private func structure(of store: WorldStore) -> Structure? {
    last.map { Structure(rows: store.rows, scene: $0.scene, outcome: $0.outcome) }
  }

  private func counterexample(
    _ violations: [Violation], _ trail: SavedWorld.Trail
  ) -> SmallWorldSearch.Counterexample {
    let history = trail.history
    return SmallWorldSearch.Counterexample(
      start: trail.start, history: history, violations: violations,
      script: HistoryScript(history, sessions: sessions).text,
      depth: trail.depth)
  }
}
