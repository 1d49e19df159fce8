import AdminConsole
import AuthCore
import Foundation
import IdentityToolkit

/// An export under way: how far it has come, and what could not be said in its format.
struct ExportRun: ~Copyable {
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
  private var writer: UserFileWriter
  private let progress: ProgressBar
  private var count = 0
  private var lost = 0

  init(_ target: ExportTarget, total: Int) {
    progress = ProgressBar(
      "export", total: total, profile: TerminalProfile.detect(fileDescriptor: STDERR_FILENO))
    writer = UserFileWriter { try target.write($0) }
  }

  /// Writes a page; one that is not full is the last.
  mutating func add(_ page: [Account]) throws {
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
    place.last = page.last?.id ?? place.last
    isComplete = page.count < Self.pageSize
  }

  /// Ends the file; gives how many accounts there are in it, and how many secrets are not.
  mutating func finish() throws -> (count: Int, lost: Int) {
    progress.finish()
    try writer.finish()
    return (count, lost)
  }
}
