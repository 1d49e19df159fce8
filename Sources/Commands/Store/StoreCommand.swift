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
      "Copy a store from SQLite to PostgreSQL, sweep one, or seal its secrets with one key.",
    subcommands: [
      StoreCopyCommand.self, StoreReopenCommand.self, StoreSweepCommand.self,
      StoreMendKeyCommand.self,
    ])
}

/// `authgraph store copy`: copies a store from SQLite to PostgreSQL.
struct StoreCopyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy", abstract: "Make a copy in PostgreSQL, and compare it row by row.",
    discussion: """
      Servers may go on writing to the source. A copy that was interrupted goes on where it was when the same \
      command is run again; one that is complete is compared, and what differs is written. The target has to be \
      empty, or a copy of this very store; changes that were made there by others are undone.

      With --final nobody can write to the source during the last comparison, nor afterwards, so nothing is lost \
      when servers are pointed to the copy. authgraph store reopen takes that back.

      Secrets stay sealed as they are: the copy needs the source's key file.
      """)

  @Option(help: ArgumentHelp("The store that is copied: sqlite:PATH.", valueName: "store"))
  var from: String

  @Option(
    help: ArgumentHelp(
      "The store that becomes the copy: postgres://USER@HOST:PORT/DATABASE.",
      discussion: "Default: AUTHGRAPH_COPY_TO, where a password cannot be seen by others.",
      valueName: "store"))
  var to: String?

  @Flag(help: "Close the source for good once the copy is equal.")
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
        .invalidArgument, "Nothing says where the copy is to be.", field: "to", remedy: remedy)
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
    commandName: "reopen", abstract: "Let a store that was copied for good be written to again.",
    discussion: "What servers wrote to the copy since is not brought back.")

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
