/// One pass through all tables of a store, from the first to the last.
package struct CopyPass {
  /// The progress of a pass.
  package struct Progress: Sendable {
    package let table: String
    /// The rows of the table read so far.
    package let rows: Int
    /// The rows of all tables read so far, including those of an earlier run.
    package let allRows: Int
    package let isTableComplete: Bool
  }

  /// The result of a pass for one table.
  package struct TableOutcome: Sendable {
    package let table: String
    package internal(set) var rows = 0
    package internal(set) var written = 0
    package internal(set) var removed = 0
  }

  private let source: any RowSource
  private let target: any RowTarget
  private let pageSize: Int
  private let tell: (Progress) throws -> Void
  private let read: (_ table: String, _ bytes: [UInt8]) -> Void

  /// Makes a pass.
  ///
  /// - Parameters:
  ///   - source: A snapshot of the store to copy.
  ///   - target: The store that becomes the copy.
  ///   - pageSize: The number of rows that are copied or compared at once.
  ///   - read: Called with every compared row, in the source's order, for a digest.
  ///   - tell: Called after each page; an error ends the pass.
  package init(
    from source: any RowSource, to target: any RowTarget, pageSize: Int = 2000,
    read: @escaping (_ table: String, _ bytes: [UInt8]) -> Void = { _, _ in },
    tell: @escaping (Progress) throws -> Void = { _ in }
  ) {
    self.source = source
    self.target = target
    self.pageSize = pageSize
    self.tell = tell
    self.read = read
  }

  /// Copies the rows after `place`, or all rows if it is nil, to a target that has none of them.
  ///
  /// Rows copied by an earlier run may come from another snapshot, so ``compare()`` has to follow.
  package func copy(from place: CopyPlace?) throws {
    let first = place.flatMap { place in CopiedTable.all.firstIndex { $0.name == place.table } }
    var seen = 0
    for table in CopiedTable.all[..<(first ?? 0)] { seen += try source.count(of: table) }
    for (index, table) in CopiedTable.all.enumerated().dropFirst(first ?? 0) {
      var last = index == first ? place?.row : nil
      var count = 0
      while true {
        let page = try source.page(of: table, after: last, limit: pageSize)
        if let row = page.last {
          let reached = CopyPlace(table: table.name, row: row.at(table.order))
          try add(page, to: table, reaching: reached)
          last = reached.row
        }
        count += page.count
        seen += page.count
        let isComplete = page.count < pageSize
        try tell(
          Progress(
            table: table.name, rows: count, allRows: seen, isTableComplete: isComplete))
        if isComplete { break }
      }
    }
  }

  /// Makes the target equal to the source; returns the numbers of compared and mended rows, by table.
  package func compare() throws -> [TableOutcome] {
    var seen = 0
    return try CopiedTable.all.map { table in
      var outcome = TableOutcome(table: table.name)
      var last: [SQLValue]?
      while true {
        let page = try source.page(of: table, after: last, limit: pageSize)
        outcome.written += try mend(page, of: table)
        outcome.rows += page.count
        seen += page.count
        last = page.last?.at(table.order)
        let isComplete = page.count < pageSize
        if isComplete, try target.count(of: table) != outcome.rows {
          outcome.removed = try removeWhatIsGone(from: table)
        }
        try tell(
          Progress(
            table: table.name, rows: outcome.rows, allRows: seen, isTableComplete: isComplete))
        if isComplete { return outcome }
      }
    }
  }

  private func add(
    _ page: [CopiedRow], to table: CopiedTable, reaching place: CopyPlace
  ) throws {
    if try target.add(page, to: table, reaching: place) { return }
    // An earlier run copied another snapshot, so a row may exist already, or its parent may be missing.
    if let parent = table.parent.flatMap(CopiedTable.named) {
      try target.put(
        try source.rows(
          of: parent, with: distinct(page.map { Array($0.prefix(parent.key.count)) })),
        into: parent, reaching: nil)
    }
    try target.put(page, into: table, reaching: place)
  }

  /// Writes the rows of a page that the target lacks or has with other values, and returns their number.
  private func mend(_ page: [CopiedRow], of table: CopiedTable) throws -> Int {
    guard !page.isEmpty else { return 0 }
    let found = try target.rows(of: table, with: page.map { $0.at(table.key) })
    var known: [[UInt8]: [UInt8]] = [:]
    for row in found { known[row.at(table.key).exactBytes] = row.exactBytes }
    let other = page.filter { row in
      let bytes = row.exactBytes
      read(table.name, bytes)
      return known[row.at(table.key).exactBytes] != bytes
    }
    if !other.isEmpty { try target.put(other, into: table, reaching: nil) }
    return other.count
  }

  private func removeWhatIsGone(from table: CopiedTable) throws -> Int {
    var removed = 0
    var last: [SQLValue]?
    while true {
      let keys = try target.keys(of: table, after: last, limit: pageSize)
      let known = Set(
        try source.rows(of: table, with: keys).map { $0.at(table.key).exactBytes })
      let gone = keys.filter { !known.contains($0.exactBytes) }
      if !gone.isEmpty { try target.remove(gone, from: table) }
      removed += gone.count
      last = keys.last
      if keys.count < pageSize { return removed }
    }
  }

  private func distinct(_ keys: [[SQLValue]]) -> [[SQLValue]] {
    var seen: Set<[UInt8]> = []
    return keys.filter { seen.insert($0.exactBytes).inserted }
  }
}
