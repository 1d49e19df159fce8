import Dispatch
import Synchronization

/// Makes rows of many values, part by part, on another thread while the part before goes into the tables.
struct RowsAhead<Element: Sendable, Rows: Sendable>: Sendable {
  let elements: [Element]
  let make: @Sendable (ArraySlice<Element>) throws -> Rows

  /// How many elements are made into rows at once; more would only take more memory.
  private let together = 128
  /// A queue of its own has a thread even where all of Swift's tasks wait.
  private let thread = DispatchQueue(label: "SQLAccounts.rows")

  init(_ elements: [Element], make: @escaping @Sendable (ArraySlice<Element>) throws -> Rows) {
    self.elements = elements
    self.make = make
  }

  /// Hands out the rows of each part, in the order of the elements.
  func insert(_ insert: (Rows) throws -> Void) throws {
    // The few of one part are made sooner than another thread begins.
    guard elements.count > together else {
      if !elements.isEmpty { try insert(try make(elements[...])) }
      return
    }
    var next: Making? = begin(at: 0)
    while let made = next {
      let rows = try made.wait()
      next = made.end < elements.count ? begin(at: made.end) : nil
      try insert(rows)
    }
  }

  private func begin(at start: Int) -> Making {
    let making = Making(end: min(start + together, elements.count))
    thread.async { making.finish { try make(elements[start..<making.end]) } }
    return making
  }

  /// Rows that another thread makes.
  private final class Making: Sendable {
    let end: Int
    /// What nobody sees before it is done.
    private let made = Mutex<Result<Rows, any Error>>(.failure(CancellationError()))
    private let isDone = DispatchSemaphore(value: 0)

    init(end: Int) { self.end = end }

    func finish(_ make: () throws -> Rows) {
      let result = Result { try make() }
      made.withLock { $0 = result }
      isDone.signal()
    }

    func wait() throws -> Rows {
      isDone.wait()
      return try made.withLock { $0 }.get()
    }
  }
}
