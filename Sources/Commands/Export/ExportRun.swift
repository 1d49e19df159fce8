import AdminConsole
import AuthCore
import Dispatch
import Foundation
import IdentityToolkit
import SQLAccounts

/// An export under way: a page is written on a thread of its own, while the next is read.
final class ExportRun {
  /// Behind which account an export goes on.
  struct Place: Sendable {
    var last: AccountID?

    func nextPage(of reader: any AccountReader, in scope: Scope) throws -> [Account] {
      try reader.accounts(
        matching: AccountFilter(), after: last, limit: ExportRun.pageSize, in: scope)
    }
  }

  private static let pageSize = 500

  private(set) var place = Place()
  private(set) var isComplete = false
  private let file: ExportFile
  private let thread = DispatchQueue(label: "export")
  private var writing: Ahead<Void>?
  /// What is being written, so that it is freed on the thread that made it: two that allocate and free the same memory
  /// wait for each other.
  private var page: [Account] = []

  init(_ target: ExportTarget, total: Int) {
    file = ExportFile(target, total: total)
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
    place.last = page.last?.id ?? place.last
    isComplete = page.count < Self.pageSize
  }

  /// Ends the file; gives how many accounts there are in it, and how many secrets are not.
  func finish() throws -> (count: Int, lost: Int) {
    try writing?.wait()
    return try file.finish()
  }
}

/// The file of an export: how far it has come, and what could not be said in its format.
///
/// Sharing it is safe because ``ExportRun`` waits for the page before, and so one thread at a time uses it.
private final class ExportFile: @unchecked Sendable {
  private var writer: UserFileWriter
  private let progress: ProgressBar
  private var count = 0
  private var lost = 0

  init(_ target: ExportTarget, total: Int) {
    progress = ProgressBar(
      "export", total: total, profile: TerminalProfile.detect(fileDescriptor: STDERR_FILENO))
    writer = UserFileWriter { try target.write($0) }
  }

  func add(_ page: [Account]) throws {
    do {
      for account in page {
        try writer.add(UserRecord(account, passwords: .exporting))
        lost += UserRecord.inexpressibleSecrets(of: account)
      }
    } catch {
      progress.finish()
      throw error
    }
    count += page.count
    progress.update(count)
  }

  func finish() throws -> (count: Int, lost: Int) {
    progress.finish()
    try writer.finish()
    return (count, lost)
  }
}
