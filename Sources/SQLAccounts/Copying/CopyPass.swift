/// One way through all tables of a store, from the first to the last.
package struct CopyPass {
  /// What a pass says while it is under way.
  package struct Progress: Sendable {
    package let table: String
    /// Rows of the table that were seen.
    package let rows: Int
    /// Rows of all tables that were seen, those of an earlier run too.
    package let allRows: Int
    package let isTableComplete: Bool
  }

  /// What became of a table.
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

  /// - Parameters:
  ///   - source: one moment of the store.
  ///   - target: what becomes like it.
  ///   - pageSize: how many rows are copied or compared at once.
  ///   - read: told of every row that was compared, in the source's order, to make a digest of.
  ///   - tell: told after each page; what it throws ends the pass.
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

  /// Copies what is behind a place, or everything, to a target where nothing is behind it.
  ///
  /// What was copied before may be of another moment: ``compare()`` comes after.
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

  /// Makes the target what the source is, and gives what there was to do; nothing where they were equal.
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
    // What is there already may be of an earlier moment, before something moved or was made.
    if let parent = table.parent.flatMap(CopiedTable.named) {
      try target.put(
        try source.rows(
          of: parent, with: distinct(page.map { Array($0.prefix(parent.key.count)) })),
        into: parent, reaching: nil)
    }
    try target.put(page, into: table, reaching: place)
  }

  /// Writes the rows of a page that the target lacks or has otherwise, and gives their number.
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
