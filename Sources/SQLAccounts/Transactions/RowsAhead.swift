import Dispatch

/// Makes packed rows part by part on another thread, while the previous part is written.
struct RowsAhead<Element: Sendable, Rows: Sendable>: Sendable {
  let elements: [Element]
  let make: @Sendable (ArraySlice<Element>) throws -> Rows

  /// The number of elements in a part.
  private let together = 256

  init(_ elements: [Element], make: @escaping @Sendable (ArraySlice<Element>) throws -> Rows) {
    self.elements = elements
    self.make = make
  }

  /// Calls the closure with the rows of each part, in the order of the elements.
  func forEach(_ use: (Rows) throws -> Void) throws {
    // A single part leaves nothing to do in parallel.
    guard elements.count > together else {
      if !elements.isEmpty { try use(try make(elements[...])) }
      return
    }
    let thread = DispatchQueue(label: "SQLAccounts.rows")
    var next = begin(at: 0, on: thread)
    for start in stride(from: 0, to: elements.count, by: together) {
      let making = next
      let rows = try making.wait()
      if start + together < elements.count { next = begin(at: start + together, on: thread) }
      try use(rows)
      // The other thread also frees them, because they hold many values.
      thread.async { making.forget() }
    }
  }

  private func begin(at start: Int, on thread: DispatchQueue) -> Ahead<Rows> {
    Ahead(on: thread) { try make(elements[start..<min(start + together, elements.count)]) }
  }
}
