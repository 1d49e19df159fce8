import CSQLite3
import Foundation

/// How a statement waits for another process that writes.
///
/// It looks again every few milliseconds. SQLite's own timeout soon sleeps a tenth of a second between two looks, and
/// would seldom look just when a process that writes much, as an import does, lets others write.
enum OtherWriters {
  /// How many looks come soon after one another, for most who write are soon done.
  private static let soonLooks = 5
  private static let soonMilliseconds = 1
  /// An import lets others write for three times as long between two commits.
  private static let laterMilliseconds = 3

  /// Waits before another look, the first being number 0; false once the pauses add up to more than the patience, in
  /// milliseconds.
  ///
  /// A machine that has much to do makes a pause longer, which is not counted.
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

extension Duration {
  fileprivate var wholeMilliseconds: Int { Int(self / .milliseconds(1)) }
}
