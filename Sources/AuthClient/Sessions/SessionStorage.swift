public import Foundation

/// Keeps the bytes of one signed-in user between runs of an app.
///
/// The bytes hold tokens: whoever reads them can act as the user. ``KeychainSessionStorage`` keeps them in
/// the keychain, ``FileSessionStorage`` in a file for its owner alone, ``MemorySessionStorage`` nowhere.
/// Each call is complete when it returns; a save that fails leaves what was there before.
public protocol SessionStorage: Sendable {
  /// Gives what was saved last, or nil where nothing is.
  func load() throws -> Data?
  /// Keeps the bytes in place of what was there.
  func save(_ data: Data) throws
  /// Forgets what was saved; nothing being there is no error.
  func remove() throws
}
