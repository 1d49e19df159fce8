import AuthCore
import CSQLite3
import Foundation

/// An error of SQLite.
struct StoreFailure: Error, CustomStringConvertible {
  /// The extended result code.
  let code: Int32
  let message: String

  /// The primary result code.
  var basicCode: Int32 { code & 0xff }

  var description: String { "SQLite \(code): \(message)" }

  static let closed = StoreFailure(code: SQLITE_MISUSE, message: "it is closed")
}

extension StoreFile {
  /// Translates a SQLite error into an `AuthError`; returns every other error unchanged.
  func translated(_ error: any Error) -> any Error {
    guard let failure = error as? StoreFailure else { return error }
    // Only the cancellation of a task interrupts a statement.
    if failure.basicCode == SQLITE_INTERRUPT { return CancellationError() }
    let (message, remedy) = explanation(failure)
    return unavailable(message, remedy, cause: failure)
  }

  func unavailable(
    _ message: String, _ remedy: String, cause: (any Error)? = nil
  ) -> AuthError {
    AuthError(.storeUnavailable, message, remedy: remedy, cause: cause)
  }

  private func explanation(_ failure: StoreFailure) -> (message: String, remedy: String) {
    switch failure.basicCode {
    case SQLITE_NOTADB:
      (
        "The file \(path) is not a database.",
        "Choose another path; the file was left as it is."
      )
    case SQLITE_CORRUPT:
      (
        "The store \(path) is damaged.",
        "Restore it from a backup while no process has it open; the file was left as it is."
      )
    case SQLITE_BUSY, SQLITE_LOCKED:
      (
        "Another process kept the store \(path) locked for longer than \(waitingTime).",
        "Try again, or end the process that holds it."
      )
    case SQLITE_FULL:
      (
        "There is no room left on the disk of the store \(path).",
        "Make room and try again; nothing was written."
      )
    case SQLITE_READONLY:
      (
        "The store \(path) cannot be written to.",
        "Give this user the right to write the file and its folder."
      )
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
      (
        "The store \(path) cannot be opened.",
        "Check that the folder exists and that this user may read and write in it."
      )
    case SQLITE_IOERR:
      (
        "The disk of the store \(path) failed to read or write.",
        "Check the disk, its free space and any limit on file sizes; nothing was written."
      )
    case SQLITE_CONSTRAINT where failure.message.contains(Closing.message):
      (
        "The store \(path) was moved, and accepts no more changes.",
        "Use the store to which it was moved, or make this one accept changes again with: authgraph store reopen."
      )
    default:
      (
        "The store \(path) failed: \(failure.message).",
        "Try again; restore a backup if the file is damaged."
      )
    }
  }

  private var waitingTime: String {
    "\((busyTimeout / .seconds(1)).formatted()) seconds"
  }
}
