public import AuthCore
import Foundation

/// The installation of a bundle into a folder: checked against what is there, and written only by ``write()``.
public struct PluginInstallation: Sendable {
  /// The bundle.
  public let bundle: PluginBundle
  /// The declaration of its plug-in.
  public let declaration: PluginDeclaration
  /// The entry of the installed version; nil if there is none.
  public let installed: PluginLock.Entry?
  /// The change of what the plug-in may do.
  public let difference: PluginDifference
  /// The entry of the new version.
  public let entry: PluginLock.Entry

  private let folder: String
  private let lock: PluginLock

  /// Checks a bundle, and changes nothing.
  ///
  /// - Parameters:
  ///   - bundle: the bundle.
  ///   - source: the file or address from which it comes.
  ///   - folder: the folder of plug-ins.
  ///   - keys: the allowed keys; empty if every bundle is allowed.
  ///   - isForced: true if the person accepts what is otherwise refused; a missing signature is refused all the same.
  /// - Throws: `invalid-plugin` if no allowed key signed it, if its plug-in does not load, or if a file of the folder has
  ///   its ID. Unless it is forced, also for an older version, another content of the same version, an installed file
  ///   that was changed, and, if no keys are named, a version that the key of the installed one did not sign.
  public init(
    of bundle: PluginBundle, from source: String, into folder: String, keys: [BundleKey],
    isForced: Bool = false
  ) throws(AuthError) {
    let key = try bundle.check(signedBy: keys)
    let declaration = try bundle.declaration()
    guard let version = declaration.metadata.version else {
      throw PluginBundle.damaged("its plug-in has no version")
    }
    let base = folder.hasSuffix("/") ? folder : "\(folder)/"
    let lock = try PluginLock(folder: folder)
    let installed = lock.plugins[declaration.id.rawValue]
    let file = "\(declaration.id)\(PluginBundle.ending)"
    let remembered = installed?.key.flatMap { bundle.keys.contains($0) ? $0 : nil }
    entry = PluginLock.Entry(
      file: file, version: version.description, digest: bundle.digest,
      key: key?.description ?? remembered ?? bundle.keys.first, source: source)
    try Self.checkLooseFiles(base, declaration.id)
    if !isForced {
      try Self.checkUpdate(of: installed, to: entry, version, namesKeys: !keys.isEmpty)
      try Self.checkFile(base + file, against: installed)
    }
    let old = installed.flatMap { try? PluginBundle(path: base + $0.file).declaration() }
    difference = PluginDifference(from: old, to: declaration)
    self.bundle = bundle
    self.declaration = declaration
    self.installed = installed
    self.folder = base
    self.lock = lock
  }

  /// True if exactly this bundle is installed, and its file is what was installed.
  public var isInstalled: Bool {
    installed?.digest == bundle.digest && installed?.key == entry.key
      && (try? PluginBundle(path: path)) == bundle
  }

  /// The path of the bundle's file.
  public var path: String { folder + entry.file }

  /// Writes the bundle and the lock; throws `invalid-plugin` if the lock changed since it was read.
  public func write() throws(AuthError) {
    guard try PluginLock(folder: folder) == lock else {
      throw AuthError(
        .invalidPlugin, "\(PluginLock.fileName) changed meanwhile.", field: "lock",
        remedy: "Run the command again.")
    }
    var lock = lock
    lock.plugins[declaration.id.rawValue] = entry
    let files = [(path, bundle.text), (PluginLock.path(folder), lock.text)]
    for (path, _) in files where PluginBundle.isLink(path) {
      throw AuthError(
        .invalidPlugin, "\(path) is a symbolic link.", field: "folder",
        remedy: "Remove the link.")
    }
    do {
      // Both are renamed one after the other, so that a server sees them together.
      let drafts = files.map { path, text in (path: path, draft: "\(path).new", text: text) }
      for file in drafts {
        try? FileManager.default.removeItem(atPath: file.draft)
        try Data(file.text.utf8).write(to: URL(filePath: file.draft), options: .withoutOverwriting)
      }
      for file in drafts where rename(file.draft, file.path) != 0 {
        throw CocoaError(.fileWriteUnknown)
      }
    } catch {
      throw AuthError(
        .invalidPlugin, "The folder \(folder) cannot be written.", field: "folder",
        remedy: "Check its permissions.", cause: error)
    }
  }

  /// Refuses an ID that a file of the folder has.
  private static func checkLooseFiles(_ folder: String, _ id: ProviderID) throws(AuthError) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names.sorted() where name.hasSuffix(".lua") && !name.hasPrefix(".") {
      guard let stamp = FileStamp(folder + name), stamp.isPlain,
        let other = try? PluginSource(path: folder + name).declaration(), other.id == id
      else { continue }
      throw AuthError(
        .invalidPlugin, "\(folder)\(name) is the plug-in \(id) too.", field: "folder",
        remedy: "Remove the file, or install into another folder.")
    }
  }

  private static func checkUpdate(
    of installed: PluginLock.Entry?, to new: PluginLock.Entry, _ version: SemanticVersion,
    namesKeys: Bool
  ) throws(AuthError) {
    guard let installed else { return }
    if let old = SemanticVersion(installed.version) {
      guard version >= old else {
        throw refused(
          "version \(version) is older than the installed \(old)", field: "version",
          "Install it with --force if you want the older one.")
      }
      guard version != old || new.digest == installed.digest else {
        throw refused(
          "version \(version) has another content than the installed one", field: "version",
          "Ask the author for a new version, or install it with --force.")
      }
    }
    if let key = installed.key, new.key != key, !namesKeys {
      throw refused(
        "\(key), which signed the installed version, did not sign this one", field: "key",
        "Find out the author's new key, and name it with --key.")
    }
  }

  /// Refuses to replace a file that is not what was installed.
  private static func checkFile(
    _ path: String, against installed: PluginLock.Entry?
  ) throws(AuthError) {
    guard FileManager.default.fileExists(atPath: path) || PluginBundle.isLink(path) else { return }
    guard let present = try? PluginBundle(path: path), present.digest == installed?.digest else {
      let problem =
        installed == nil ? "is there, and was not installed" : "was changed after its installation"
      throw refused(
        "\(path) \(problem)", field: "bundle",
        "Find out who changed it, and write it anew with --force.")
    }
  }

  private static func refused(_ reason: String, field: String, _ remedy: String) -> AuthError {
    AuthError(
      .invalidPlugin, "The bundle is not installed: \(reason).", field: field, remedy: remedy)
  }
}
