public import AuthCore
import CSQLite3
import Foundation
import SQLAccounts

/// The latest knowledge of the file's ability to take changes.
struct SQLiteHealth: Sendable {
  let writes = WriteHealth()

  /// Records an error if every change would meet it.
  func note(_ error: any Error) {
    if let reason = Self.reason(of: error) { writes.failed(StoreOutage(reason, error)) }
  }

  /// Returns the reason that no change can be written; nil if the failure concerns one change alone.
  static func reason(of error: any Error) -> StoreOutage.Reason? {
    guard let failure = (error as? AuthError)?.cause as? StoreFailure else { return nil }
    if failure.message.contains(Closing.message) { return .moved }
    switch failure.basicCode {
    case SQLITE_READONLY: return .readOnly
    case SQLITE_FULL: return .full
    case SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_CANTOPEN, SQLITE_NOTADB: return .failed
    default: return nil
    }
  }
}

extension SQLiteStore: WriteChecking {
  /// The free bytes after which a disk no longer counts as full.
  private static let room: UInt64 = 256 << 10

  /// Checks that changes can be written; throws the outage that a change would meet.
  public func checkWriting() async throws(StoreOutage) {
    guard hasFile else { return }
    do throws(AuthError) { try checkFile() } catch { throw StoreOutage(.fileGone, error) }
    let outage = await health.writes.outage { [self] in
      do {
        try await probeWriting()
        return roomOutage
      } catch {
        return SQLiteHealth.reason(of: error).map { StoreOutage($0, error) }
      }
    }
    if let outage { throw outage }
  }

  /// Commits a change that leaves everything as it was.
  private func probeWriting() async throws {
    do {
      _ = try await writes.perform { [file, settings] connection -> Ending<Void> in
        let transaction = SQLTransaction(SQLiteSession(connection, file), settings)
        // A scope beside those of projects, because no project has an empty name.
        let nowhere = Scope(project: "")
        try transaction.apply(
          [.saveCheckpoint("ready", "now"), .saveCheckpoint("ready", nil)], in: nowhere)
        return .commit(())
      }
    } catch {
      throw file.translated(error)
    }
  }

  /// The outage of a disk that was full and has hardly more room now; a small write might still fit.
  private var roomOutage: StoreOutage? {
    guard let last = health.writes.last, last.reason == .full else { return nil }
    let folder = URL(filePath: file.path).deletingLastPathComponent().path
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
    guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.uint64Value, free < Self.room
    else { return nil }
    return last
  }
}
