import AdminConsole
import AuthCore
import BuiltInProviders
import Dispatch
import Foundation
import UserFiles
import SQLAccounts

/// An export in progress: a page is written on a separate thread while the next is read.
final class ExportRun {
  /// The position after which an export continues.
  struct Place: Sendable {
    private(set) var last: AccountID?
    private(set) var isComplete = false

    /// Moves to the end of a page; a page that is not full is the last.
    mutating func pass(_ page: [Account]) {
      last = page.last?.id ?? last
      isComplete = page.count < ExportRun.pageSize
    }

    /// Returns the next page, or nil after the last one.
    mutating func next(of reader: any AccountReader, in scope: Scope) throws -> [Account]? {
      guard !isComplete else { return nil }
      let page = try nextPage(of: reader, in: scope)
      pass(page)
      return page
    }

    func nextPage(of reader: any AccountReader, in scope: Scope) throws -> [Account] {
      try reader.accounts(
        matching: AccountFilter(), after: last, limit: ExportRun.pageSize, in: scope)
    }
  }

  private static let pageSize = 500

  private(set) var place = Place()
  var isComplete: Bool { place.isComplete }
  private let file: ExportFile
  private let thread = DispatchQueue(label: "export")
  private var writing: Ahead<Void>?
  /// The page that is being written.
  ///
  /// It is freed on the thread that made it, because two threads that allocate and free the same memory wait for each
  /// other.
  private var page: [Account] = []

  init(_ target: ExportTarget, _ contents: ExportContents, total: Int) {
    file = ExportFile(target, contents, total: total)
  }

  /// Waits for the last write.
  deinit { _ = try? writing?.wait() }

  /// Writes a page; one that is not full is the last.
  ///
  /// Throws if the previous page could not be written.
  func add(_ page: [Account]) throws {
    try writing?.wait()
    writing = Ahead(on: thread) { [file] in try file.add(page) }
    self.page = page
    place.pass(page)
  }

  /// Ends the file; returns the number of its accounts and the omitted parts.
  func finish() throws -> ExportOutcome {
    try writing?.wait()
    return try file.finish()
  }
}

/// The content of an export.
struct ExportContents: Sendable {
  let door: RecordDoor
  /// Restricts the file to the form that Firebase's tools can read.
  let isForFirebase: Bool
  /// The only kind of hashes in a file for Firebase's tools.
  let hashes: PasswordHashParameters?
  /// The parameters of the scope's imported hashes, by their name.
  let known: [String: PasswordHashParameters]
}

/// The result of an export.
struct ExportOutcome: Sendable {
  var count = 0
  /// The number of secrets that AuthGraph's own format cannot hold.
  var lost = 0
  /// The number of hashes with unknown parameters.
  var unexplained = 0
  /// The parts that a file for Firebase's tools cannot hold.
  var losses = ExportLosses()
  /// The parameters of the hashes in a file for Firebase's tools.
  var hashes: PasswordHashParameters?
}

/// The file of an export, with its progress and losses.
///
/// Sharing it is safe, because ``ExportRun`` waits for the previous page, so one thread at a time uses it.
private final class ExportFile: @unchecked Sendable {
  private var writer: UserFileWriter
  private let progress: ProgressBar
  private let contents: ExportContents
  private var outcome = ExportOutcome()

  init(_ target: ExportTarget, _ contents: ExportContents, total: Int) {
    progress = ProgressBar("export", total: total)
    writer = UserFileWriter { try target.write($0) }
    self.contents = contents
    outcome.hashes = contents.hashes
  }

  func add(_ page: [Account]) throws {
    do {
      for account in page { try add(account) }
    } catch {
      progress.finish()
      throw error
    }
    outcome.count += page.count
    progress.update(outcome.count)
  }

  private func add(_ account: Account) throws {
    let record = UserRecord(account, at: contents.door)
    guard contents.isForFirebase else {
      try writer.add(record)
      outcome.lost += record.missingSecrets(of: account)
      if let stored = account.storedPassword?.encoded, record.hashParameters == nil,
        !PasswordHasher.isOwnHash(stored)
      {
        outcome.unexplained += 1
      }
      return
    }
    let firebase = FirebaseRecord(
      record, of: account, in: contents, losses: outcome.losses)
    outcome.losses = firebase.losses
    try writer.add(firebase.record)
  }

  func finish() throws -> ExportOutcome {
    progress.finish()
    try writer.finish()
    return outcome
  }
}
