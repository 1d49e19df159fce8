public import Foundation

/// A storage in a file that only its owner can read.
///
/// The file is replaced atomically, so after a crash it is the old or the new one. A file that other accounts of the
/// system could read or change, or own, is refused when it is read. The next session replaces it.
public struct FileSessionStorage: SessionStorage {
  /// The file's location.
  public let url: URL

  /// Makes a storage at a file URL.
  ///
  /// The first save creates missing folders.
  public init(url: URL) {
    precondition(url.isFileURL, "A session is kept in a file, and \(url) is no file's URL.")
    self.url = url
  }

  /// Reads the file; nil if there is none.
  ///
  /// Throws ``SessionStorageError``.
  public func load() throws -> Data? {
    try SessionFile(path: url.path).read()
  }

  /// Replaces the file; throws ``SessionStorageError``.
  public func save(_ data: Data) throws {
    try SessionFile(path: url.path).replace(with: data)
  }

  /// Removes the file; throws ``SessionStorageError``.
  public func remove() throws {
    try SessionFile(path: url.path).remove()
  }
}
