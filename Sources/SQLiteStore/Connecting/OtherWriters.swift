import Foundation
import GRDB
import GRDBSQLite

/// How a statement waits for another process that writes.
///
/// It looks again every few milliseconds. SQLite's own timeout soon sleeps a tenth of a second between two looks, and
/// would seldom look just when a process that writes much, as an import does, lets others write.
enum OtherWriters {
  /// The pauses before the first looks are shorter, for most who write are soon done.
  private static let shortPauses = 5
  private static let longPause = 5

  /// Waits before another look, the first being number 0; false where that would be after so many milliseconds.
  static func wait(before look: Int, patience: Int) -> Bool {
    let pause = look < shortPauses ? 1 : longPause
    let waited = min(look, shortPauses) + max(0, look - shortPauses) * longPause
    guard waited + pause <= patience else { return false }
    usleep(UInt32(pause) * 1000)
    return true
  }
}

extension SQLiteConnection {
  /// How long a statement waits for another process that writes.
  func setPatience(_ patience: Duration) {
    // The number itself is what SQLite keeps for the handler, so that nothing has to outlive the connection.
    sqlite3_busy_handler(
      handle,
      { patience, look in
        OtherWriters.wait(before: Int(look), patience: Int(bitPattern: patience)) ? 1 : 0
      }, UnsafeMutableRawPointer(bitPattern: patience.wholeMilliseconds))
  }
}

extension Database.BusyMode {
  /// The same for connections that GRDB opens.
  static func waiting(_ patience: Duration) -> Self {
    let most = patience.wholeMilliseconds
    return .callback { OtherWriters.wait(before: $0, patience: most) }
  }
}

extension Duration {
  fileprivate var wholeMilliseconds: Int { Int(self / .milliseconds(1)) }
}
