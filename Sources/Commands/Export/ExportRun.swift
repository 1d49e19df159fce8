import AdminConsole
import AuthCore
import BuiltInProviders
import Dispatch
import Foundation
import UserFiles
import SQLAccounts

/// An export under way: a page is written on a thread of its own, while the next is read.
final class ExportRun {
  /// Behind which account an export goes on.
  struct Place: Sendable {
    private(set) var last: AccountID?
    private(set) var isComplete = false

    /// Goes behind a page; one that is not full is the last.
    mutating func pass(_ page: [Account]) {
      last = page.last?.id ?? last
      isComplete = page.count < ExportRun.pageSize
    }

    /// The next page, or nil behind the last one.
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
  /// What is being written, so that it is freed on the thread that made it: two that allocate and free the same memory
  /// wait for each other.
  private var page: [Account] = []

  init(_ target: ExportTarget, _ contents: ExportContents, total: Int) {
    file = ExportFile(target, contents, total: total)
  }

  /// Nothing is written any more once it is gone.
  deinit { _ = try? writing?.wait() }

  /// Has a page written; one that is not full is the last.
  ///
  /// Throws where the page before could not be written.
  func add(_ page: [Account]) throws {
    try writing?.wait()
    writing = Ahead(on: thread) { [file] in try file.add(page) }
    self.page = page
    place.pass(page)
  }

  /// Ends the file; gives how many accounts there are in it, and what of them is not.
  func finish() throws -> ExportOutcome {
    try writing?.wait()
    return try file.finish()
  }
}

/// What goes into an export, and how.
struct ExportContents: Sendable {
  let door: RecordDoor
  /// Whether Firebase's tools are to read it.
  let isForFirebase: Bool
  /// The one kind of hashes that a file for Firebase's tools has.
  let hashes: PasswordHashParameters?
  /// How the scope's imported hashes were made, by the name of the parameters.
  let known: [String: PasswordHashParameters]
}

/// What became of an export.
struct ExportOutcome: Sendable {
  var count = 0
  /// Secrets that AuthGraph's own format has no place for.
  var lost = 0
  /// Hashes in it of which nothing says how they were made.
  var unexplained = 0
  /// What a file for Firebase's tools cannot have.
  var losses = ExportLosses()
  /// How the hashes of a file for Firebase's tools were made.
  var hashes: PasswordHashParameters?
}

/// The file of an export: how far it has come, and what could not be said in its format.
///
/// Sharing it is safe because ``ExportRun`` waits for the page before, and so one thread at a time uses it.
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
      if let stored = account.passwordIdentity?.secret?.encoded, record.hashParameters == nil,
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
