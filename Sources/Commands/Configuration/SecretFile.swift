import Foundation

/// Files that only their owner should read.
enum SecretFile {
  /// Whether somebody besides the owner may read a file, or write it.
  static func isOpenToOthers(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(
      atPath: URL(filePath: path).resolvingSymlinksInPath().path)
    let permissions = attributes?[.posixPermissions] as? NSNumber
    return permissions.map { $0.intValue & 0o077 != 0 } ?? false
  }
}
