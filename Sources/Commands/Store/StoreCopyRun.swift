import AdminConsole
import AuthCore
import Foundation
import PostgresStore
import SQLAccounts
import SQLiteStore
import TerminalOutput

/// Runs a copy, from its current state to the point at which source and copy are equal.
struct StoreCopyRun {
  /// The final tables, and the steps after all rows were added.
  struct Outcome {
    var tables: [Table] = []
    /// The time at which the source was read that the copy equals.
    var equalAt = Timestamp(milliseconds: 0)
    var digest = ""
    var comparisons = 0
    var isResumed = false

    struct Table {
      let name: String
      var rows = 0
      var written = 0
      var removed = 0
      var digest = ""
    }
  }

  let source: SQLiteStore
  let target: PostgresCopyTarget
  let pageSize: Int

  /// The maximum number of comparisons with the same snapshot; rows that still differ then never become equal.
  private static let mostComparisons = 5

  func perform(final: Bool) throws -> Outcome {
    var outcome = Outcome()
    let state = try target.begin(copyOf: try source.name())
    if case .adding(let place) = state {
      outcome.isResumed = place != nil
      if let place { StandardStreams.warn("The copy goes on in the table \(place.table).") }
      try source.withRows { rows in
        try pass(over: rows, named: "copy") { try $0.copy(from: place) }
      }
      try target.analyze()
    }
    try target.reached(.comparing)
    try source.withRows { try makeEqual($0, &outcome) }
    guard final else {
      try target.reached(.equal)
      return outcome
    }
    try source.withLastRows(closing: true) { try makeEqual($0, &outcome) }
    // Afterwards, so that a copy that is interrupted here is only compared once more.
    try target.reached(.final)
    return outcome
  }

  /// Compares until no row has to be written.
  private func makeEqual(_ rows: any RowSource, _ outcome: inout Outcome) throws {
    outcome.equalAt = .now()
    for _ in 0..<Self.mostComparisons {
      var digests = TableDigests()
      outcome.comparisons += 1
      let found = try pass(
        over: rows, named: "compare", read: { digests.add($1, of: $0) }, { try $0.compare() })
      let finished = digests.finished()
      outcome.add(found, digests: finished.tables)
      outcome.digest = finished.all
      if found.allSatisfy({ $0.written == 0 && $0.removed == 0 }) { return }
    }
    throw AuthError(
      .internalError, "The source and the copy do not become equal, though neither is changed.",
      remedy: "End every other writer of the copy, and run authgraph store copy again.")
  }

  private func pass<Value>(
    over rows: any RowSource, named verb: String,
    read: @escaping (String, [UInt8]) -> Void = { _, _ in }, _ body: (CopyPass) throws -> Value
  ) throws -> Value {
    let total = try CopiedTable.all.reduce(0) { $0 + (try rows.count(of: $1)) }
    let isWatched = TextOutput.standardError.isTerminal
    let bar = ProgressBar(verb, total: total)
    defer { bar.finish() }
    return try body(
      CopyPass(from: rows, to: target, pageSize: pageSize, read: read) { progress in
        bar.update(progress.allRows)
        if progress.isTableComplete, !isWatched {
          StandardStreams.warn("\(verb) \(progress.table): \(progress.rows) rows")
        }
      })
  }
}

extension StoreCopyRun.Outcome {
  fileprivate mutating func add(
    _ found: [CopyPass.TableOutcome], digests: [String: String]
  ) {
    for (index, table) in found.enumerated() {
      if index == tables.count { tables.append(Table(name: table.table)) }
      tables[index].rows = table.rows
      tables[index].written += table.written
      tables[index].removed += table.removed
      tables[index].digest = digests[table.table] ?? ""
    }
  }
}
