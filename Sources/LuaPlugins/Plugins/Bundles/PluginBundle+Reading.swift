public import AuthCore
import Foundation

extension PluginBundle {
  private static let longestName = 140

  /// Reads the file of a bundle; throws `invalid-plugin` if it is damaged, and names the file.
  public init(path: String) throws(AuthError) {
    guard let stamp = FileStamp(path), stamp.isPlain, !Self.isLink(path) else {
      throw AuthError(
        .invalidPlugin, "\(path) is no bundle's file.", field: "bundle",
        remedy: "Name a file that authgraph plugin pack wrote; links are not followed.")
    }
    let bytes: [UInt8]
    do {
      bytes = try InputFile.bytes(of: path, atMost: Self.mostBytes)
    } catch {
      throw AuthError(
        .invalidPlugin, "The bundle \(path) cannot be read: \(error.reason).", field: "bundle",
        remedy: "Check the path and its permissions.", cause: error)
    }
    do {
      try self.init(bytes: bytes)
    } catch {
      throw AuthError(
        error.code, "\(URL(filePath: path).lastPathComponent): \(error.message)",
        field: error.field, remedy: error.remedy, cause: error.cause)
    }
  }

  /// Reads a bundle, and verifies every signature; throws `invalid-plugin`.
  ///
  /// It refuses names outside the bundle, a name in two files, unknown members, and more than 4 MiB or 32 files.
  /// Nothing is compressed, so nothing grows when it is read.
  public init(bytes: [UInt8]) throws(AuthError) {
    guard bytes.count <= Self.mostBytes else {
      throw Self.damaged("it has more than \(Self.mostBytes >> 20) MiB")
    }
    let json: JSONValue
    do {
      json = try JSONValue(strict: bytes)
    } catch {
      throw Self.damaged("it is no JSON of a bundle, or has a name twice", cause: error)
    }
    guard case .object(let members) = json, members["format"] == .string(Self.format) else {
      throw Self.damaged("its format is not \(Self.format)")
    }
    guard Set(members.keys) == ["format", "files", "signatures"],
      case .object(let files)? = members["files"],
      case .object(let signatures)? = members["signatures"]
    else { throw Self.damaged("it has other members than format, files and signatures") }
    guard files.count <= Self.mostFiles, signatures.count <= Self.mostFiles else {
      throw Self.damaged("it has more than \(Self.mostFiles) files or signatures")
    }
    var contents: [String: Data] = [:]
    for (name, value) in files { contents[name] = try Self.content(name, value) }
    var signed: [String: Data] = [:]
    for (key, value) in signatures {
      guard let data = value.stringValue.flatMap({ Data(base64Encoded: $0) }) else {
        throw Self.damaged("a signature is no base64")
      }
      signed[key] = data
    }
    self.init(files: contents, signatures: signed)
    try checkFiles()
    try checkSignatures()
  }

  private static func content(_ name: String, _ value: JSONValue) throws(AuthError) -> Data {
    guard isName(name) else {
      throw damaged("\"\(name.prefix(80))\" is no name of a file in a bundle")
    }
    if let text = value.stringValue { return Data(text.utf8) }
    guard case .object(let members) = value, members.count == 1,
      let data = members["base64"]?.stringValue.flatMap({ Data(base64Encoded: $0) })
    else { throw damaged("\(name) is neither text nor base64") }
    return data
  }

  /// Tells whether a name is one that a bundle may have: a plain file, or a module in `shared`.
  static func isName(_ name: String) -> Bool {
    let steps = name.split(separator: "/", omittingEmptySubsequences: false)
    guard name.utf8.count <= longestName, steps.count == 1 || steps.first == "shared" else {
      return false
    }
    let isScript = name.hasSuffix(".lua")
    guard steps.count == 1 || isScript else { return false }
    return steps.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_][A-Za-z0-9._-]*/) != nil }
      && (isScript || name.hasSuffix(".fixture.json") || PluginIcon(name)?.fileName == name)
  }

  private func checkFiles() throws(AuthError) {
    let scripts = names.filter { $0.hasSuffix(".lua") && !$0.contains("/") }
    guard scripts.count == 1, let main = scripts.first else {
      throw Self.damaged("it has \(scripts.count) plug-in files, and needs one")
    }
    let fixture = main.dropLast(4) + ".fixture.json"
    for name in names where name.hasSuffix(".fixture.json") && name != fixture {
      throw Self.damaged("\(name) is no fixture of \(main)")
    }
    for (name, data) in files where PluginIcon(name)?.fileName == name {
      guard data.count <= PluginIcon.mostBytes else {
        throw Self.damaged("\(name) has more than \(PluginIcon.mostBytes >> 10) KiB")
      }
    }
  }

  private func checkSignatures() throws(AuthError) {
    let manifest = Data(manifest.utf8)
    for (text, signature) in signatures.sorted(by: { $0.key < $1.key }) {
      guard let key = try? BundleKey(text), key.description == text else {
        throw Self.damaged("it is signed with \"\(text.prefix(80))\", which is no key")
      }
      guard key.verifies(signature, of: manifest) else {
        throw Self.damaged("the signature of \(text) is wrong; the bundle was changed")
      }
    }
  }

  /// Tells whether a path is a symbolic link.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }
}
