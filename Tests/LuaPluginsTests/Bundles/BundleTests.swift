import AuthCore
import Foundation
@testable import LuaPlugins
import Testing
import TestSupport

@Suite struct `Bundles of plug-ins` {
  private let orbit: Orbit
  private let key = BundleSigningKey()

  init() throws {
    orbit = try Orbit()
  }

  private func read(_ text: String) throws -> PluginBundle {
    try PluginBundle(bytes: Array(text.utf8))
  }

  private func refusal(_ text: String) -> String? {
    let error = #expect(throws: AuthError.self) { try read(text) }
    #expect(error?.code == .invalidPlugin && error?.field == "bundle")
    return error?.message
  }

  /// The text of a bundle with one more file.
  private func text(adding name: String, _ content: String = "\"return 1\"") throws -> String {
    try orbit.bundle().text.replacing("\"files\":{", with: "\"files\":{\"\(name)\":\(content),")
  }

  @Test func `a bundle has the plug-in, its modules, its fixture and its icon`() throws {
    let bundle = try orbit.bundle()

    #expect(
      bundle.names == [
        "icon.png", "orbit.example.fixture.json", "orbit.example.lua", "shared/names.lua",
      ])
    #expect(bundle.fileName(of: try bundle.declaration()) == "orbit.example-1.0.0.plugin")
    #expect(try bundle.source(at: nil).version == PluginSource(path: orbit.path).version)
    #expect(bundle.keys.isEmpty)
  }

  @Test func `equal files give equal bundles, and a bundle is read back as it was`() throws {
    let bundle = try orbit.bundle(signedWith: key)

    #expect(try orbit.bundle(signedWith: key).digest == bundle.digest)
    #expect(try Orbit().bundle().text == orbit.bundle().text)
    let again = try read(bundle.text)
    #expect(again == bundle && again.text == bundle.text)
    #expect(again.keys == [key.publicKey.description])
  }

  @Test func `the digest is that of the manifest, which sha256sum understands`() throws {
    let bundle = try orbit.bundle()
    let lines = bundle.manifest.split(separator: "\n")

    #expect(lines.first == "authgraph-plugin-1" && lines.count == 5)
    #expect(lines[4].hasSuffix(" 50 shared/names.lua"))
    #expect(lines.dropFirst().allSatisfy { $0.prefixMatch(of: /[0-9a-f]{64}\ \d+\ /) != nil })
    #expect(bundle.digest.wholeMatch(of: /sha256:[0-9a-f]{64}/) != nil)
    #expect(try orbit.bundle(signedWith: key).digest == bundle.digest)
  }

  @Test func `several keys sign one bundle, and one of the allowed ones is enough`() throws {
    let other = BundleSigningKey()
    let bundle = try orbit.bundle(signedWith: key, other)

    #expect(bundle.keys.count == 2)
    #expect(try bundle.check(signedBy: [other.publicKey]) == other.publicKey)
    #expect(try bundle.check(signedBy: []) == nil)
  }

  @Test func `attack: an unsigned bundle, and one that a foreign key signed`() throws {
    let allowed = [BundleSigningKey().publicKey]

    let unsigned = #expect(throws: AuthError.self) {
      try orbit.bundle().check(signedBy: allowed)
    }
    let foreign = #expect(throws: AuthError.self) {
      try orbit.bundle(signedWith: key).check(signedBy: allowed)
    }
    #expect(unsigned?.message == "The bundle is not signed.")
    #expect(foreign?.message.contains("is signed by \(key.publicKey) only") == true)
  }

  @Test func `attack: a file that was changed after signing`() throws {
    let text = try orbit.bundle(signedWith: key).text

    #expect(
      refusal(text.replacing("orbit.example/me", with: "evil.example/me"))?
        .contains("is wrong; the bundle was changed") == true)
    #expect(
      refusal(text.replacing("\"shared/names.lua\"", with: "\"shared/other.lua\""))?
        .contains("is wrong") == true)
  }

  @Test func `attack: a signature of another bundle or of another key`() throws {
    let other = try Orbit(version: "2.0.0").bundle(signedWith: key)
    let own = try orbit.bundle(signedWith: key)
    let signature = { (bundle: PluginBundle) in
      bundle.signatures.values.first?.base64EncodedString() ?? ""
    }

    #expect(
      refusal(own.text.replacing(signature(own), with: signature(other)))?.contains("is wrong")
        == true)
    let foreign = BundleSigningKey().publicKey.description
    #expect(
      refusal(own.text.replacing(key.publicKey.description, with: foreign))?.contains("is wrong")
        == true)
    #expect(
      refusal(own.text.replacing(key.publicKey.description, with: "rsa:AAAA"))?
        .contains("is no key") == true)
  }

  @Test(arguments: [
    "../evil.lua", "/etc/cron.d/evil.lua", "shared/../../evil.lua", "shared/../evil.lua",
    "other/evil.lua", "a\\\\b.lua", ".hidden.lua", "shared/.hidden.lua", "", "shared/", "evil.sh",
    "plugins.lock", "evil.plugin", "shared/icon.png", "a b.lua", "shared/a\\u0000.lua",
  ])
  func `attack: names that lead out of the bundle, or are no part of a plug-in`(
    _ name: String
  ) throws {
    #expect(refusal(try text(adding: name))?.contains("is no name of a file in a bundle") == true)
  }

  @Test func `attack: one name for two files`() throws {
    #expect(refusal(try text(adding: "shared/names.lua"))?.contains("twice") == true)
    let twice = try orbit.bundle().text.replacing(
      "\"format\":", with: "\"files\":{},\"format\":")
    #expect(refusal(twice)?.contains("twice") == true)
  }

  @Test func `attack: two plug-ins, or none`() throws {
    #expect(
      refusal(try text(adding: "second.lua"))?.contains("2 plug-in files, and needs one") == true)
    #expect(
      refusal("{\"files\":{},\"format\":\"authgraph-plugin-1\",\"signatures\":{}}")?
        .contains("0 plug-in files") == true)
  }

  @Test func `attack: a bundle that is too large, has too many files or nests deeply`() throws {
    let large = String(repeating: "a", count: PluginBundle.mostBytes)
    #expect(refusal(try text(adding: "shared/a.lua", "\"\(large)\""))?.contains("MiB") == true)

    let many = (0..<40).map { "\"shared/a\($0).lua\":\"\"" }.joined(separator: ",")
    let crowded = try orbit.bundle().text.replacing("\"files\":{", with: "\"files\":{\(many),")
    #expect(refusal(crowded)?.contains("more than 32 files") == true)

    let deep = String(repeating: "[", count: 100_000)
    #expect(refusal(try text(adding: "shared/a.lua", deep)) != nil)
    let icon = Data(repeating: 0xFF, count: 40_000).base64EncodedString()
    #expect(
      refusal(try text(adding: "big.png", "{\"base64\":\"\(icon)\"}"))?.contains("KiB") == true)
  }

  @Test func `attack: what is no bundle`() throws {
    for text in ["", "{}", "[]", "null", "PK\u{3}\u{4}", "return provider {}"] {
      #expect(refusal(text) != nil, "\(text)")
    }
    let text = try orbit.bundle().text
    #expect(refusal(text + "{}") != nil)
    #expect(refusal(text.replacing("authgraph-plugin-1", with: "authgraph-plugin-2")) != nil)
    #expect(refusal(text.replacing("\"format\"", with: "\"run\":\"sh\",\"format\"")) != nil)
  }

  @Test func `attack: links are neither packed nor read`() throws {
    let files = FileManager.default
    let bundle = try orbit.folder.write("orbit.plugin", orbit.bundle().text)
    try files.createSymbolicLink(
      atPath: "\(orbit.folder.path)/link.plugin", withDestinationPath: bundle)
    #expect(throws: AuthError.self) {
      try PluginBundle(path: "\(orbit.folder.path)/link.plugin")
    }

    for name in ["icon.png", "shared/names.lua", "orbit.example.fixture.json"] {
      let orbit = try Orbit()
      let path = "\(orbit.folder.path)/\(name)"
      try files.moveItem(atPath: path, toPath: "\(orbit.folder.path)/moved")
      try files.createSymbolicLink(atPath: path, withDestinationPath: "\(orbit.folder.path)/moved")
      let error = #expect(throws: AuthError.self) { try orbit.bundle() }
      #expect(error?.message.contains("symbolic link") == true, "\(name)")
    }
  }

  @Test func `a plug-in for others has a version, and the files that it names`() throws {
    try orbit.folder.write(
      "orbit.example.lua",
      Orbit.text("1.0.0", ["orbit.example"], "").replacing("version = \"1.0.0\",", with: ""))
    let error = #expect(throws: AuthError.self) { try orbit.bundle() }
    #expect(error?.field == "version")

    let other = try Orbit()
    try FileManager.default.removeItem(atPath: "\(other.folder.path)/icon.png")
    let missing = #expect(throws: AuthError.self) { try other.bundle() }
    #expect(missing?.message.contains("icon.png cannot be read") == true)
  }

  @Test func `a key is read back from its file, and no error shows it`() throws {
    let again = try BundleSigningKey(fileText: key.fileText)
    #expect(again.publicKey == key.publicKey)
    #expect(try BundleKey(key.publicKey.description) == key.publicKey)

    let secret = String(key.fileText.dropLast(9))
    let error = #expect(throws: AuthError.self) { try BundleSigningKey(fileText: secret) }
    #expect(error.map { !"\($0)".contains(secret.suffix(20)) } == true)
    #expect(throws: AuthError.self) { try BundleKey(key.fileText) }
  }
}
