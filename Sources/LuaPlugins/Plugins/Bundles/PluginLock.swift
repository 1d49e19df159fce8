public import AuthCore
import Foundation

/// The bundles that were installed into a folder of plug-ins: the file `plugins.lock`.
public struct PluginLock: Codable, Sendable, Equatable {
  /// One installed bundle.
  public struct Entry: Codable, Sendable, Equatable {
    /// The bundle's file in the folder.
    public var file: String
    /// The version that the plug-in declares.
    public var version: String
    /// The bundle's digest.
    public var digest: String
    /// The key that signed it, which later versions need too; nil if it is not signed.
    public var key: String?
    /// The file or address from which it was installed.
    public var source: String

    /// Makes an entry.
    public init(file: String, version: String, digest: String, key: String?, source: String) {
      self.file = file
      self.version = version
      self.digest = digest
      self.key = key
      self.source = source
    }
  }

  /// The name of the file.
  public static let fileName = "plugins.lock"
  private static let mostBytes = 1 << 20

  /// The entries by the plug-in's ID.
  public var plugins: [String: Entry] = [:]

  /// Makes an empty lock.
  public init() {}

  /// Reads the lock of a folder; empty if there is none.
  ///
  /// Throws `invalid-plugin` if the file cannot be read.
  public init(folder: String) throws(AuthError) {
    let path = Self.path(folder)
    guard FileManager.default.fileExists(atPath: path) else { return }
    do {
      let bytes = try InputFile.bytes(of: path, atMost: Self.mostBytes)
      self = try JSONDecoder().decode(Self.self, from: Data(bytes))
    } catch {
      throw AuthError(
        .invalidPlugin, "\(path) cannot be read.", field: "lock",
        remedy: "Take it from a copy of the folder, or install the bundles again.", cause: error)
    }
  }

  /// The path of a folder's lock.
  public static func path(_ folder: String) -> String {
    folder.hasSuffix("/") ? folder + fileName : "\(folder)/\(fileName)"
  }

  /// The text of the file.
  public var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let data = (try? encoder.encode(self)) ?? Data()
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  /// Checks a bundle of the folder against its entry.
  ///
  /// Throws `invalid-plugin` if it was not installed, or is not what was installed.
  func check(_ bundle: PluginBundle, file: String) throws(AuthError) {
    guard let entry = plugins.values.first(where: { $0.file == file }) else {
      throw AuthError(
        .invalidPlugin, "\(file) is not in \(Self.fileName): it was not installed.",
        field: "bundle", remedy: "Install it with authgraph plugin install.")
    }
    guard entry.digest == bundle.digest else {
      throw AuthError(
        .invalidPlugin,
        "\(file) is not the bundle that was installed: \(Self.fileName) has \(entry.digest), and the file is \(bundle.digest).",
        field: "bundle", remedy: "Find out who changed it, and install it again with --force.")
    }
  }
}

extension PluginBundle {
  /// Checks that one of the keys signed the bundle; without keys, every bundle is allowed.
  ///
  /// Returns the first such key. Throws `invalid-plugin` for an unsigned bundle, and for one of other keys only.
  @discardableResult
  public func check(signedBy allowed: [BundleKey]) throws(AuthError) -> BundleKey? {
    guard !allowed.isEmpty else { return nil }
    if let key = allowed.first(where: { signatures[$0.description] != nil }) { return key }
    let problem =
      signatures.isEmpty
      ? "The bundle is not signed."
      : "The bundle is signed by \(keys.joined(separator: ", ")) only."
    throw AuthError(
      .invalidPlugin, problem, field: "key",
      remedy: "Get a bundle that an allowed key signed; pluginKeys and --key list these keys.")
  }
}

extension PluginBundle {
  /// Checks an installed bundle's digest and keys; throws `invalid-plugin`.
  func checkInstalled(
    in lock: PluginLock, file: String, keys: [BundleKey]
  ) throws(AuthError) {
    try lock.check(self, file: file)
    try check(signedBy: keys)
  }
}
