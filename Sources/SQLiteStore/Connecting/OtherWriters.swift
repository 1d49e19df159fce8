import CSQLite3
import Foundation

/// The wait of a statement for another process that writes.
///
/// It looks again every few milliseconds. SQLite's own timeout soon sleeps a tenth of a second between two looks, and
/// would rarely hit the short pauses of a process that writes much, such as an import.
enum OtherWriters {
  /// The number of looks in quick succession, which suffice for most writers.
  private static let soonLooks = 5
  private static let soonMilliseconds = 1
  /// A third of the pause that an import makes between two commits.
  private static let laterMilliseconds = 3

  /// Pauses before a look, counted from 0; returns false once the pauses exceed `patience`, in milliseconds.
  ///
  /// On a busy machine a pause takes longer, which is not counted.
  static func wait(before look: Int, patience: Int) -> Bool {
    let pause = look < soonLooks ? soonMilliseconds : laterMilliseconds
    let waited =
      min(look, soonLooks) * soonMilliseconds + max(0, look - soonLooks) * laterMilliseconds
    guard waited + pause <= patience else { return false }
    usleep(UInt32(pause) * 1000)
    return true
  }
}

extension SQLiteConnection {
  /// Sets the time that a statement waits for another process that writes.
  func setPatience(_ patience: Duration) {
    // SQLite keeps the number itself as the handler's context, so that nothing has to outlive the connection.
    sqlite3_busy_handler(
      handle,
      { patience, look in
        OtherWriters.wait(before: Int(look), patience: Int(bitPattern: patience)) ? 1 : 0
      }, UnsafeMutableRawPointer(bitPattern: patience.wholeMilliseconds))
  }
}

extension Duration {
  fileprivate var wholeMilliseconds: Int { Int(self / .milliseconds(1)) }
}
