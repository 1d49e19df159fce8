import AdminConsole
import ArgumentParser
import AuthCore
import Foundation
import PostgresStore
import SQLiteStore

/// `authgraph store`: commands for whole stores.
struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract:
      "Copy, back up, check or sweep a store, or seal its secrets with one key.",
    subcommands: [
      StoreCopyCommand.self, StoreReopenCommand.self, StoreBackupCommand.self,
      StoreCheckCommand.self, StoreSweepCommand.self, StoreMendKeyCommand.self,
    ])
}

/// `authgraph store copy`: copies a store from SQLite to PostgreSQL.
struct StoreCopyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy", abstract: "Copy a store to PostgreSQL, and compare the copy row by row.",
    discussion: """
      Servers can write to the source meanwhile. If the copy is interrupted, the same command continues it. A \
      complete copy is compared, and rows that differ are written. The target must be empty or a copy of this store; \
      other changes to it are undone.

      --final closes the source to writes before the last comparison, so nothing is lost when servers switch to the \
      copy. authgraph store reopen opens it again.

      Secrets are copied sealed: the copy needs the source's key file.
      """)

  @Option(help: ArgumentHelp("The source: sqlite:PATH.", valueName: "store"))
  var from: String

  @Option(
    help: ArgumentHelp(
      "The target: postgres://USER@HOST:PORT/DATABASE.",
      discussion: "Default: AUTHGRAPH_COPY_TO, in which other users cannot see a password.",
      valueName: "store"))
  var to: String?

  @Flag(help: "Close the source to writes once the copy is equal.")
  var final = false

  @Flag(help: "Answer in JSON.") var json = false

  @Option(name: .customLong("page-size"), help: .hidden)
  var pageSize = 2000

  func run() throws {
    try reportingErrors(asJSON: json) {
      guard pageSize > 0 else { throw ValidationError("A page has rows.") }
      let path = try source()
      let source = try SQLiteStore(firstOpening: path)
      let url = try target()
      let target = try PostgresCopyTarget(url: url)
      let started = ContinuousClock.now
      let run = StoreCopyRun(source: source, target: target, pageSize: pageSize)
      let outcome = try run.perform(final: final)
      let summary = CopySummary(
        from: .sqlite(path: path), to: .postgres(url: url), isFinal: final, outcome: outcome,
        duration: ContinuousClock.now - started)
      if json { return try StandardStreams.print(summary.json) }
      try StandardStreams.print(summary)
    }
  }

  private func source() throws -> String {
    guard case .sqlite(let path) = try named("from", from) else {
      throw AuthError(
        .invalidArgument, "Copies are made of stores in SQLite.", field: "from",
        remedy: "Write --from sqlite:PATH.")
    }
    guard FileManager.default.fileExists(atPath: path) else {
      throw AuthError(
        .storeUnavailable, "There is no store \(path).", field: "from", remedy: "Check the path.")
    }
    return path
  }

  private func target() throws -> String {
    let remedy = "Write --to postgres://USER@HOST:PORT/DATABASE, or set AUTHGRAPH_COPY_TO."
    guard let text = to ?? ProcessInfo.processInfo.environment["AUTHGRAPH_COPY_TO"] else {
      throw AuthError(
        .invalidArgument, "The copy's place is not named.", field: "to", remedy: remedy)
    }
    guard case .postgres(let url) = try named("to", text) else {
      throw AuthError(
        .invalidArgument, "Copies are made in PostgreSQL.", field: "to", remedy: remedy)
    }
    return url
  }

  private func named(_ field: String, _ text: String) throws(AuthError) -> StoreLocation {
    do {
      return try StoreLocation(text)
    } catch {
      throw AuthError(error.code, error.message, field: field, remedy: error.remedy)
    }
  }
}

/// `authgraph store reopen`: opens a closed store again.
struct StoreReopenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reopen", abstract: "Open a store again that store copy --final closed.",
    discussion: "Changes that servers made to the copy are not transferred back.")

  @Option(help: ArgumentHelp("sqlite:PATH.", valueName: "store"))
  var store: String

  func run() throws {
    try reportingErrors(asJSON: false) {
      guard case .sqlite(let path) = try StoreLocation(store) else {
        throw AuthError(
          .invalidArgument, "Only stores in SQLite are closed.", field: "store",
          remedy: "Write --store sqlite:PATH.")
      }
      guard FileManager.default.fileExists(atPath: path) else {
        throw AuthError(
          .storeUnavailable, "There is no store \(path).", field: "store",
          remedy: "Check the path.")
      }
      let wasClosed = try SQLiteStore(firstOpening: path).reopen()
      try StandardStreams.print(
        line: wasClosed ? "\(path) takes changes again." : "\(path) was not closed.")
    }
  }
}
