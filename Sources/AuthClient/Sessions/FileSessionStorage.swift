public import Foundation

/// Keeps a user in a file that only its owner can read.
///
/// The file is replaced as a whole: after a crash it is the old one or the new one. A file that others could
/// read or change, or that is not ours, is refused when it is read; the next session takes its place.
public struct FileSessionStorage: SessionStorage {
  public let url: URL

  /// Keeps the user at this place; folders that are missing are made with the first save.
  public init(url: URL) {
    precondition(url.isFileURL, "A session is kept in a file, and \(url) is no file's URL.")
    self.url = url
  }

  public func load() throws -> Data? {
    try SessionFile(path: url.path).read()
  }

  public func save(_ data: Data) throws {
    try SessionFile(path: url.path).replace(with: data)
  }

  public func remove() throws {
    try SessionFile(path: url.path).remove()
  }
}
