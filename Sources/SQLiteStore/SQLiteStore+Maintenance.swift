import AuthCore
import Dispatch
import Foundation
import SQLAccounts

extension SQLiteStore {
  /// Writes a consistent copy of the store to a file, while others read and write, and returns its number of accounts.
  ///
  /// The copy is on the disk when this returns. It replaces an existing file, unless that is in use, only if
  /// `replacing` is set. Throws `store-unavailable` otherwise, or if the file cannot be written; nothing of the copy is
  /// left then.
  @discardableResult
  public func backup(to path: String, replacing: Bool = false) async throws -> Int {
    let target = StoreFile(path: path, durability: file.durability, busyTimeout: file.busyTimeout)
    guard replacing, FileManager.default.fileExists(atPath: target.absolutePath) else {
      return try await backup(to: target)
    }
    let isOpen = FileManager.default.fileExists(atPath: target.absolutePath + "-wal")
    guard target.absolutePath != file.absolutePath, !isOpen else {
      throw target.unavailable(
        "The file \(path) is a store in use.", "Choose another path for the backup.")
    }
    let part = StoreFile(
      path: "\(path).\(UUID())", durability: file.durability, busyTimeout: file.busyTimeout)
    let count = try await backup(to: part)
    guard rename(part.absolutePath, target.absolutePath) == 0 else {
      unlink(part.absolutePath)
      throw target.unavailable(
        "The file \(path) cannot be replaced.", "Choose another path for the backup.")
    }
    try target.syncFolder()
    return count
  }

  /// Writes a copy to a file that does not exist yet.
  private func backup(to copy: StoreFile) async throws -> Int {
    let isOurs = try copy.makeForOwner()
    guard isOurs else {
      throw copy.unavailable(
        "The backup \(copy.path) exists already.", "Choose a path where there is nothing yet.")
    }
    do {
      return try await onThread { [upkeep] interruption in
        try upkeep.use { connection in
          try interruption.during(connection) {
            try connection.run("VACUUM INTO ?", [.string(copy.absolutePath)])
          }
        }
        // SQLite does not wait for the disk here.
        try copy.sync()
        let connection = try SQLiteConnection(path: copy.absolutePath, readOnly: true)
        return Int(try connection.texts("SELECT CAST(count(*) AS TEXT) FROM accounts")[0]) ?? 0
      }
    } catch {
      try? FileManager.default.removeItem(atPath: copy.absolutePath)
      throw copy.translated(error)
    }
  }

  /// Looks for damage and for inconsistent rows; returns a sentence for each finding.
  package func checkIntegrity() async throws -> [String] {
    do {
      return try await onThread { [self] interruption in
        try withSnapshot { connection in
          func texts(_ sql: String) throws -> [String] {
            try interruption.during(connection) { try connection.texts(sql) }
          }
          let pages = try texts("PRAGMA integrity_check").filter { $0 != "ok" }
          let orphans = try texts("PRAGMA foreign_key_check").map { table in
            "A row of \(table) refers to one that does not exist."
          }
          return try pages + orphans + Invariant.all.flatMap { try texts($0.sql).map($0.sentence) }
        }
      }
    } catch {
      throw file.translated(error)
    }
  }

  /// Runs long work on another thread, and interrupts it if the task is cancelled.
  private func onThread<Result: Sendable>(
    _ work: @escaping @Sendable (Interruption) throws -> Result
  ) async throws -> Result {
    let interruption = Interruption()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(with: Swift.Result { try work(interruption) })
        }
      }
    } onCancel: {
      interruption.cancel()
    }
  }

  /// Reads one snapshot without memory mapping, so that damage is an error and does not end the process.
  func withSnapshot<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    guard hasFile else {
      return try upkeep.use { memory in try memory.inTransaction("BEGIN") { try body(memory) } }
    }
    try writes.checkOpen()
    let connection = try file.openConnection(readOnly: true)
    try connection.execute("PRAGMA mmap_size = 0")
    return try connection.inTransaction("BEGIN") {
      // The first read determines the snapshot.
      _ = try connection.hasRows("SELECT 1 FROM sqlite_master LIMIT 1")
      return try body(connection)
    }
  }
}

/// A condition that the rows of every sound store meet.
private struct Invariant: Sendable {
  /// A query that names the rows that violate the condition.
  let sql: String
  let sentence: @Sendable (String) -> String

  static let all = [
    Invariant(
      sql: """
        SELECT aliases.absorbed FROM aliases
        JOIN accounts ON accounts.project = aliases.project AND accounts.tenant = aliases.tenant
          AND accounts.uid = aliases.absorbed
        """,
      sentence: { "The uid \($0) is both an account and an alias." }),
    Invariant(
      sql: """
        SELECT accounts.uid FROM accounts LEFT JOIN settings USING (project, tenant)
        WHERE accounts.verified_email IS NOT CASE
          WHEN email_verified AND coalesce(json_extract(json, '$.oneAccountPerEmail'), 1)
          THEN email_canonical END
        """,
      sentence: { "The verified e-mail of the account \($0) differs from its settings." }),
    Invariant(
      sql: """
        SELECT email_canonical FROM accounts LEFT JOIN settings USING (project, tenant)
        WHERE email_verified AND email_canonical IS NOT NULL
          AND coalesce(json_extract(json, '$.oneAccountPerEmail'), 1)
        GROUP BY project, tenant, email_canonical HAVING count(*) > 1
        """,
      sentence: { "More than one account has verified the address \($0)." }),
    Invariant(
      sql: """
        SELECT uid FROM identities WHERE position >= 0 GROUP BY project, tenant, uid
        HAVING min(position) <> 0 OR max(position) <> count(*) - 1
        """,
      sentence: { "The identities of the account \($0) are not in one order." }),
    Invariant(
      sql: """
        SELECT uid FROM identities AS old WHERE position < 0 AND (
          rekey IS NULL OR replaced_until IS NULL OR successor IS NULL OR successor <= position
          OR NOT EXISTS (
            SELECT 1 FROM identities AS new WHERE new.project = old.project
              AND new.tenant = old.tenant AND new.uid = old.uid AND new.position = old.successor))
        """,
      sentence: { "A replaced identity of the account \($0) lacks what replaced it." }),
    Invariant(
      sql: """
        SELECT uid FROM accounts WHERE (email IS NULL) <> (email_canonical IS NULL)
        """,
      sentence: { "The account \($0) has an address without its canonical form." }),
    Invariant(
      sql: """
        SELECT CAST(sequence AS TEXT) FROM outbox
        WHERE sequence NOT IN (SELECT sequence FROM events)
        """,
      sentence: { "The outbox holds the event \($0), which does not exist." }),
  ]
}
