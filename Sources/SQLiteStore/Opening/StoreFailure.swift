import AuthCore
import Foundation
import GRDB

/// What SQLite said, without the type of the library that said it.
struct StoreFailure: Error, CustomStringConvertible {
  let code: Int32
  let description: String
}

extension StoreFile {
  /// Says in AuthGraph's words what SQLite said; leaves every other error alone.
  func translated(_ error: any Error) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    // Only a cancelled task interrupts a statement.
    if error.resultCode == .SQLITE_INTERRUPT { return CancellationError() }
    let (message, remedy) = explanation(error)
    let failure = StoreFailure(
      code: error.extendedResultCode.rawValue,
      description: "SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "no message")")
    return unavailable(message, remedy, cause: failure)
  }

  func unavailable(
    _ message: String, _ remedy: String, cause: (any Error)? = nil
  ) -> AuthError {
    AuthError(.storeUnavailable, message, remedy: remedy, cause: cause)
  }

  private func explanation(_ error: DatabaseError) -> (message: String, remedy: String) {
    switch error.resultCode {
    case .SQLITE_NOTADB:
      (
        "The file \(path) is not a database.",
        "Choose another path; the file was left as it is."
      )
    case .SQLITE_CORRUPT:
      (
        "The store \(path) is damaged.",
        "Restore it from a backup while no process has it open; the file was left as it is."
      )
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      (
        "Another process kept the store \(path) locked for longer than \(waitingTime).",
        "Try again, or end the process that holds it."
      )
    case .SQLITE_FULL:
      (
        "There is no room left on the disk of the store \(path).",
        "Make room and try again; nothing was written."
      )
    case .SQLITE_READONLY:
      (
        "The store \(path) cannot be written to.",
        "Give this user the right to write the file and its folder."
      )
    case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
      (
        "The store \(path) cannot be opened.",
        "Check that the folder exists and that this user may read and write in it."
      )
    case .SQLITE_IOERR:
      (
        "The disk of the store \(path) failed to read or write.",
        "Check the disk, its free space and any limit on file sizes; nothing was written."
      )
    case .SQLITE_CONSTRAINT where error.message?.contains(Closing.message) == true:
      (
        "The store \(path) was moved, and takes no changes any more.",
        "Use the store that it was copied to, or let this one take changes again with: authgraph store reopen."
      )
    default:
      (
        "The store \(path) failed: \(error.message ?? "no message").",
        "Try again; restore a backup where the file is damaged."
      )
    }
  }

  private var waitingTime: String {
    "\((busyTimeout / .seconds(1)).formatted()) seconds"
  }
}
