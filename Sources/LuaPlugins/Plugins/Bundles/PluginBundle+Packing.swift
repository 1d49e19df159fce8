public import AuthCore
import Foundation

extension PluginBundle {
  /// Packs a plug-in file with its modules, its fixture and its icon; equal files give equal bundles.
  ///
  /// Throws `invalid-plugin` if the file does not load, has no version, or if one of its files is a link or no plain
  /// file.
  public init(packing path: String) throws(AuthError) {
    guard !Self.isLink(path) else { throw Self.link(path) }
    let source = try PluginSource(path: path)
    let declaration = try source.declaration()
    guard declaration.metadata.version != nil else {
      throw AuthError.invalidPlugin(
        source, "a plug-in for others needs a version", field: "version",
        remedy: "Write version = \"1.0.0\" into provider { … }, and count it with each change.")
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    var files: [String: Data] = [source.name: Data(source.text.utf8)]
    for module in source.modules {
      guard !Self.isLink(folder + module.name), !Self.isLink(folder + "shared") else {
        throw Self.link(folder + module.name)
      }
      files[module.name] = Data(module.text.utf8)
    }
    if let fixture = source.fixturePath, FileManager.default.fileExists(atPath: fixture) {
      files[URL(filePath: fixture).lastPathComponent] = try Self.bytes(of: fixture, limit: 2 << 20)
    }
    if let icon = declaration.metadata.icon?.fileName {
      files[icon] = try Self.bytes(of: folder + icon, limit: PluginIcon.mostBytes)
    }
    // A bundle that its reader would refuse is not written.
    try self.init(bytes: Array(PluginBundle(files: files).text.utf8))
  }

  /// The usual name of the bundle's file, such as `orbit.example-1.2.0.plugin`.
  public func fileName(of declaration: PluginDeclaration) -> String {
    let version = declaration.metadata.version.map { "-\($0)" } ?? ""
    return "\(declaration.id)\(version)\(Self.ending)"
  }

  /// The declaration of the bundle's plug-in; throws `invalid-plugin` if it does not load.
  public func declaration() throws(AuthError) -> PluginDeclaration {
    try source(at: nil).declaration()
  }

  private static func bytes(of path: String, limit: Int) throws(AuthError) -> Data {
    guard !isLink(path) else { throw link(path) }
    guard let stamp = FileStamp(path), stamp.isPlain,
      let bytes = try? InputFile.bytes(of: path, atMost: limit)
    else {
      throw AuthError(
        .invalidPlugin, "\(path) cannot be read.", field: "file",
        remedy: "Put the file beside the plug-in.")
    }
    guard bytes.count <= limit else {
      throw AuthError(
        .invalidPlugin, "\(path) has more than \(limit >> 10) KiB.", field: "file",
        remedy: "Make it smaller.")
    }
    return Data(bytes)
  }

  private static func link(_ path: String) -> AuthError {
    AuthError(
      .invalidPlugin, "\(path) is a symbolic link.", field: "file",
      remedy: "Put the file itself there; a bundle takes no link.")
  }
}

extension PluginSource {
  /// Reads the declaration without a network; throws `invalid-plugin` if the file does not load.
  public func declaration() throws(AuthError) -> PluginDeclaration {
    try LuaPlugin.provider(self, host: PluginHost(transport: ClosedTransport())).declaration
  }
}

/// Refuses every request, because a declaration is read without a network.
private struct ClosedTransport: HTTPTransport {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    throw AuthError(
      .networkRequestFailed, "A declaration is read without a network.",
      remedy: "Send the request inside of a function.")
  }
}
