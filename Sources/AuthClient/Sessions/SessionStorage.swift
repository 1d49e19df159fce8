public import Foundation

/// A storage of one signed-in user's bytes between runs of an app.
///
/// The bytes hold tokens, which are as secret as a password. ``KeychainSessionStorage`` is in the Keychain,
/// ``FileSessionStorage`` in a file for its owner alone, and ``MemorySessionStorage`` in memory. Each call is
/// complete when it returns. A failed save leaves the earlier bytes.
public protocol SessionStorage: Sendable {
  /// Returns the stored bytes; nil if there are none.
  func load() throws -> Data?
  /// Replaces the stored bytes.
  func save(_ data: Data) throws
  /// Removes the stored bytes. It is no error if there are none.
  func remove() throws
}
