/// Future events, soonest first; simultaneous events come in the order in which they were added.
struct EventQueue<Event> {
  private var heap: [(time: Double, order: Int, event: Event)] = []
  private var added = 0

  var isEmpty: Bool { heap.isEmpty }

  mutating func add(_ event: Event, at time: Double) {
    heap.append((time, added, event))
    added += 1
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard comes(child, before: parent) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func next() -> (time: Double, event: Event)? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    return (first.time, first.event)
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var first = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && comes(child, before: first) { first = child }
      guard first != parent else { return }
      heap.swapAt(parent, first)
      parent = first
    }
  }

  private func comes(_ one: Int, before other: Int) -> Bool {
    (heap[one].time, heap[one].order) < (heap[other].time, heap[other].order)
  }
}

/// A queue of waiting callers.
struct WaitingLine {
  private var waiting: [Int] = []
  private var first = 0

  var isEmpty: Bool { first == waiting.count }

  mutating func add(_ one: Int) { waiting.append(one) }

  mutating func next() -> Int? {
    guard first < waiting.count else { return nil }
    defer {
      first += 1
      if first == waiting.count {
        waiting.removeAll(keepingCapacity: true)
        first = 0
      }
    }
    return waiting[first]
  }
}
