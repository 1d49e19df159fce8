import Foundation

/// A value that one thread at a time reads or changes.
///
/// The lock is Foundation's: the thread sanitizer does not see `Mutex` of the standard library on Linux. A call of
/// ``withLock(_:)`` within another one of the same value never returns.
final class Locked<Value: Sendable>: @unchecked Sendable {
  // Sendable although it is mutable: the value is touched only while the lock is held.
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  /// Runs the body while no other thread has the value; the value keeps the body's changes if it throws.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
