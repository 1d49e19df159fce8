import AuthCore
import Foundation
import NIOConcurrencyHelpers

extension PluginSet {
  /// Allows only bundles that one of these keys signed; without keys, every installed bundle is allowed.
  ///
  /// Bundles are checked whenever they are loaded. A file of its own, which is in no bundle, has no signature and is
  /// always allowed.
  public func allowBundles(of keys: [BundleKey]) {
    state.withLockedValue { $0.keys = keys }
  }

  /// Reads a file; a bundle is checked against the lock of its folder and the allowed keys.
  ///
  /// Throws `invalid-plugin` if a bundle is not what was installed, or if no allowed key signed it.
  func source(at path: String) throws(AuthError) -> PluginSource {
    guard PluginBundle.isOne(path) else { return try PluginSource(path: path) }
    // What is loaded is what was checked, even if the file changes meanwhile.
    let bundle = try PluginBundle(path: path)
    let url = URL(filePath: path)
    let lock = try PluginLock(folder: url.deletingLastPathComponent().path)
    try bundle.checkInstalled(
      in: lock, file: url.lastPathComponent, keys: state.withLockedValue(\.keys))
    return try bundle.source(at: path)
  }

  /// The state of the shared modules of a folder, and of its lock.
  ///
  /// A change of it means that every plug-in of the folder is read again.
  static func sharedStamps(of folder: String) -> [String: FileStamp] {
    let base = folder.hasSuffix("/") ? folder : "\(folder)/"
    var stamps: [String: FileStamp] = [:]
    stamps[PluginLock.fileName] = FileStamp(base + PluginLock.fileName)
    guard FileStamp(base + "shared") != nil else { return stamps }
    let names = FileManager.default.enumerator(atPath: base + "shared")
    var count = 0
    while let name = names?.nextObject() as? String, count < mostSharedFiles {
      count += 1
      if name.hasSuffix(".lua") { stamps["shared/\(name)"] = FileStamp("\(base)shared/\(name)") }
    }
    return stamps
  }

  private static let mostSharedFiles = 1_000
}
