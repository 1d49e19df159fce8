import NIOConcurrencyHelpers

/// The shared counters of a search's tasks.
final class SearchProgress: Sendable {
  private struct Box {
    var states = 0
    var operations = 0
    var first: SmallWorldSearch.Counterexample?
    var next = 0
    var isOver = false
  }

  private let box = NIOLockedValueBox(Box())
  private let bounds: SmallWorldSearch.Bounds
  private let end: ContinuousClock.Instant

  init(_ bounds: SmallWorldSearch.Bounds, from start: ContinuousClock.Instant) {
    self.bounds = bounds
    end = start + .seconds(bounds.seconds)
  }

  var states: Int { box.withLockedValue(\.states) }
  var operations: Int { box.withLockedValue(\.operations) }
  var first: SmallWorldSearch.Counterexample? { box.withLockedValue(\.first) }
  var isOver: Bool { box.withLockedValue(\.isOver) }

  func beginLevel() { box.withLockedValue { $0.next = 0 } }

  /// Returns the index of the next world of a level, or nil if there are no more or the search is over.
  func next(of count: Int) -> Int? {
    box.withLockedValue { box in
      guard !box.isOver, box.next < count else { return nil }
      defer { box.next += 1 }
      return box.next
    }
  }

  func add(states: Int, operations: Int) {
    box.withLockedValue { box in
      box.states += states
      box.operations += operations
      if box.states >= bounds.states || ContinuousClock.now >= end { box.isOver = true }
    }
  }

  func note(_ counterexample: SmallWorldSearch.Counterexample) {
    box.withLockedValue { box in
      box.first = box.first ?? counterexample
      box.isOver = true
    }
  }
}
