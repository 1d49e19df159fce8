public import AuthCore
import Crypto
import Foundation
import LuaRuntime

/// A plug-in for others: its file, the modules that it includes, its fixture and its icon, with signatures.
///
/// The file is JSON with the members `format`, `files` (text, or base64 for an icon, by name) and `signatures`
/// (base64 by public key). What is signed is ``manifest``, which names each file with its size and digest.
public struct PluginBundle: Sendable, Hashable {
  /// The ending of a bundle's file.
  public static let ending = ".plugin"
  static let format = "authgraph-plugin-1"
  /// The maximum size of a file, in bytes.
  public static let mostBytes = 4 << 20
  static let mostFiles = 32

  /// The content of each file by its name: `ID.lua`, `ID.fixture.json`, `shared/….lua` or a picture.
  let files: [String: Data]
  /// The signatures by the public key as text.
  private(set) var signatures: [String: Data]

  init(files: [String: Data], signatures: [String: Data] = [:]) {
    self.files = files
    self.signatures = signatures
  }

  /// Tells whether a path is that of a bundle, by its ending.
  public static func isOne(_ path: String) -> Bool { path.hasSuffix(ending) }

  /// The names of the files, sorted.
  public var names: [String] { files.keys.sorted() }

  /// One line for each file: its SHA-256, its size in bytes, and its name; the format's name comes first.
  public var manifest: String {
    let lines = files.sorted { $0.key < $1.key }.map { name, data in
      "\(SHA256.hash(data: data).hexadecimal) \(data.count) \(name)"
    }
    return ([Self.format] + lines).joined(separator: "\n") + "\n"
  }

  /// The digest of the manifest, as `sha256:` and 64 hex digits.
  ///
  /// Signatures do not change it.
  public var digest: String {
    "sha256:" + SHA256.hash(data: Data(manifest.utf8)).hexadecimal
  }

  /// The keys whose signatures were verified, sorted; reading a bundle refuses every wrong signature.
  public var keys: [String] { signatures.keys.sorted() }

  /// Adds a signature, or replaces that of the same key.
  public mutating func sign(with key: BundleSigningKey) throws(AuthError) {
    signatures[key.publicKey.description] = try key.signature(of: Data(manifest.utf8))
  }

  /// The bundle's file; equal bundles have equal bytes.
  public var text: String {
    let files = files.mapValues { data -> JSONValue in
      String(validating: data, as: UTF8.self).map { .string($0) }
        ?? ["base64": .string(data.base64EncodedString())]
    }
    let json: JSONValue = [
      "format": .string(Self.format), "files": .object(files),
      "signatures": .object(signatures.mapValues { .string($0.base64EncodedString()) }),
    ]
    return json.text + "\n"
  }

  /// The plug-in file of the bundle.
  var mainName: String? { names.first { $0.hasSuffix(".lua") && !$0.contains("/") } }

  /// The plug-in with its modules.
  ///
  /// Throws `invalid-plugin` if a module is missing.
  func source(at path: String?) throws(AuthError) -> PluginSource {
    guard let name = mainName else { throw Self.damaged("it has no plug-in file") }
    let text = try script(name)
    let modules = try PluginSource.modules(of: text, in: name) { module throws(AuthError) in
      try script(module)
    }
    return PluginSource(name: name, text: text, path: path, modules: modules)
  }

  private func script(_ name: String) throws(AuthError) -> String {
    guard let data = files[name] else {
      throw AuthError(
        .invalidPlugin, "The bundle has no file \(name).", field: "file",
        remedy: "Pack it again with authgraph plugin pack.")
    }
    do {
      return try LuaSource(bytes: Array(data)).text
    } catch {
      throw AuthError(error, in: name, field: "file", code: .invalidPlugin)
    }
  }

  static func damaged(_ reason: String, cause: (any Error)? = nil) -> AuthError {
    AuthError(
      .invalidPlugin, "The bundle is damaged: \(reason).", field: "bundle",
      remedy: "Get it again from its author.", cause: cause)
  }
}
