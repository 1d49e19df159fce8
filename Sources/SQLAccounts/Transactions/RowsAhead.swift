import Dispatch
import Synchronization

/// Makes rows of many values, part by part, on another thread while the part before goes into the tables.
struct RowsAhead<Element: Sendable, Rows: Sendable>: Sendable {
  let elements: [Element]
  let make: @Sendable (ArraySlice<Element>) throws -> Rows

  /// How many elements are made into rows at once; more would only take more memory.
  private let together = 256
  /// A queue of its own has a thread even where all of Swift's tasks wait.
  private let thread = DispatchQueue(label: "SQLAccounts.rows")

  init(_ elements: [Element], make: @escaping @Sendable (ArraySlice<Element>) throws -> Rows) {
    self.elements = elements
    self.make = make
  }

  /// Hands out the rows of each part, in the order of the elements.
  func forEach(_ use: (Rows) throws -> Void) throws {
    // The few of one part are made sooner than another thread begins.
    guard elements.count > together else {
      if !elements.isEmpty { try use(try make(elements[...])) }
      return
    }
    var next: Making? = begin(at: 0)
    while let making = next {
      let rows = try making.wait()
      next = making.end < elements.count ? begin(at: making.end) : nil
      try use(rows)
      // They are many values, which the other thread frees as well.
      thread.async { making.forget() }
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
    /// Nobody sees what is there before it is done, and after it.
    private let made = Mutex<Result<Rows, any Error>>(.failure(CancellationError()))
    private let isDone = DispatchSemaphore(value: 0)

    init(end: Int) { self.end = end }

    func finish(_ make: () throws -> Rows) {
      let result = Result { try make() }
      made.withLock { $0 = result }
      isDone.signal()
    }

    func forget() {
      made.withLock { $0 = .failure(CancellationError()) }
    }

    func wait() throws -> Rows {
      isDone.wait()
      return try made.withLock { $0 }.get()
    }
  }
}
