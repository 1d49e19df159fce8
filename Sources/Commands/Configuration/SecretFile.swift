import Foundation

/// Checks files that only their owner should read.
enum SecretFile {
  /// Tells whether users other than the owner may read or write a file.
  static func isOpenToOthers(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(
      atPath: URL(filePath: path).resolvingSymlinksInPath().path)
    let permissions = attributes?[.posixPermissions] as? NSNumber
    return permissions.map { $0.intValue & 0o077 != 0 } ?? false
  }
}
