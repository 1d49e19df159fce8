import AuthCore
import Foundation
@testable import LuaPlugins
import Testing
import TestSupport

@Suite struct `Installations of bundles` {
  private let home = PluginHome()
  private let plugins: TemporaryFolder
  private let key = BundleSigningKey()

  init() throws {
    plugins = try TemporaryFolder()
  }

  private func installation(
    _ bundle: PluginBundle, keys: [BundleKey] = [], isForced: Bool = false
  ) throws -> PluginInstallation {
    try PluginInstallation(
      of: bundle, from: "https://orbit.example/orbit.plugin", into: plugins.path, keys: keys,
      isForced: isForced)
  }

  private func install(_ bundle: PluginBundle) throws {
    try installation(bundle).write()
  }

  private func refusal(
    _ bundle: PluginBundle, keys: [BundleKey] = []
  ) -> AuthError? {
    let error = #expect(throws: AuthError.self) { try installation(bundle, keys: keys) }
    #expect(error?.code == .invalidPlugin)
    return error
  }

  private func loaded(keys: [BundleKey] = []) throws -> PluginSet {
    let set = PluginSet(host: home.host)
    set.allowBundles(of: keys)
    try set.add(folder: plugins.path)
    set.scan()
    return set
  }

  @Test func `an installed bundle is in the lock, and is loaded with its modules`() throws {
    let bundle = try Orbit().bundle(signedWith: key)
    try install(bundle)

    let entry = try PluginLock(folder: plugins.path).plugins["orbit.example"]
    #expect(entry?.file == "orbit.example.plugin" && entry?.version == "1.0.0")
    #expect(entry?.digest == bundle.digest && entry?.key == key.publicKey.description)
    #expect(entry?.source == "https://orbit.example/orbit.plugin")
    let set = try loaded()
    #expect(set.ids == [ProviderID("orbit.example")] && set.refused.isEmpty)
    #expect(set.plugins.first?.source.modules.count == 1)
    #expect(LockProblem.all(in: plugins.path).isEmpty)
    #expect(try installation(bundle).isInstalled)
  }

  @Test func `what changes is shown before anything is written`() throws {
    let old = try Orbit().bundle()
    let first = try installation(old).difference
    #expect(first.changes.map(\.list) == ["hosts", "secrets", "functions", "abilities"])
    #expect(first.changes.first?.added == ["orbit.example"])
    #expect(first.changes[1].added == ["clientSecret"])
    #expect(first.changes[2].added == ["identity.displayName"])
    #expect(!FileManager.default.fileExists(atPath: "\(plugins.path)/orbit.example.plugin"))
    try install(old)

    let new = try Orbit(
      version: "1.1.0", hosts: ["orbit.example", "tracker.example"],
      more: "settings = { token = setting.secret \"a key\" }, scopes = { \"contacts\" },"
    ).bundle()
    let second = try installation(new).difference
    #expect(
      second.description == """
        hosts: +tracker.example
        secrets: +token
        abilities: +scope.contacts
        """)
    #expect(
      try installation(Orbit(version: "1.0.1").bundle()).difference.description
        == "hosts, secrets, functions and abilities stay the same")
  }

  @Test func `a new version replaces the old one while a server runs`() throws {
    try install(try Orbit().bundle())
    let set = try loaded()

    try install(try Orbit(version: "1.1.0").bundle())
    #expect(set.scan().map(\.summary) == ["replaced orbit.example"])
    #expect(set.plugins.first?.declaration.metadata.version?.description == "1.1.0")
    #expect(set.scan().isEmpty && set.refused.isEmpty)
  }

  @Test func `attack: an older version comes back only by force`() throws {
    try install(try Orbit(version: "1.1.0").bundle())
    let old = try Orbit().bundle()

    #expect(refusal(old)?.message.contains("1.0.0 is older than the installed 1.1.0") == true)
    try installation(old, isForced: true).write()
    #expect(try PluginLock(folder: plugins.path).plugins["orbit.example"]?.version == "1.0.0")
  }

  @Test func `attack: another content of the same version`() throws {
    try install(try Orbit().bundle())

    let error = refusal(try Orbit(hosts: ["orbit.example", "evil.example"]).bundle())
    #expect(error?.field == "version" && error?.message.contains("another content") == true)
  }

  @Test func `attack: a new version that another key signed`() throws {
    try install(try Orbit().bundle(signedWith: key))
    let foreign = BundleSigningKey()
    let new = try Orbit(version: "1.1.0")

    #expect(refusal(try new.bundle(signedWith: foreign))?.field == "key")
    #expect(refusal(try new.bundle())?.field == "key")
    // The person names the author's new key, which then counts.
    try installation(new.bundle(signedWith: foreign), keys: [foreign.publicKey]).write()
    let entry = try PluginLock(folder: plugins.path).plugins["orbit.example"]
    #expect(entry?.key == foreign.publicKey.description)
  }

  @Test func `attack: a missing signature is not forced`() throws {
    let bundle = try Orbit().bundle()

    #expect(refusal(bundle, keys: [key.publicKey])?.field == "key")
    #expect(throws: AuthError.self) {
      try installation(bundle, keys: [key.publicKey], isForced: true)
    }
  }

  @Test func `attack: a server loads no bundle that its keys did not sign`() throws {
    try install(try Orbit().bundle(signedWith: key))

    let foreign = try loaded(keys: [BundleSigningKey().publicKey])
    #expect(foreign.ids.isEmpty)
    #expect(foreign.refused.first?.error.message.contains("is signed by") == true)
    #expect(try loaded(keys: [key.publicKey]).ids.count == 1)
  }

  @Test func `attack: a bundle that was changed after its installation`() throws {
    try install(try Orbit().bundle())
    let path = try plugins.write(
      "orbit.example.plugin", Orbit(hosts: ["orbit.example", "evil.example"]).bundle().text)

    let set = try loaded()
    #expect(set.ids.isEmpty)
    #expect(set.refused.first?.error.message.contains("not the bundle that was installed") == true)
    #expect(LockProblem.all(in: plugins.path).map(\.file) == [path])
    #expect(refusal(try Orbit(version: "1.1.0").bundle())?.field == "bundle")
  }

  @Test func `a changed file is written anew by force, and does not count as installed`() throws {
    let bundle = try Orbit().bundle(signedWith: key)
    try install(bundle)
    for text in ["damaged", try Orbit().bundle().text] {
      try plugins.write("orbit.example.plugin", text)

      let forced = try installation(bundle, isForced: true)
      #expect(!forced.isInstalled)
      try forced.write()

      #expect(try plugins.read("orbit.example.plugin") == bundle.text)
      #expect(try installation(bundle).isInstalled && LockProblem.all(in: plugins.path).isEmpty)
    }
    try plugins.write("orbit.example.plugin", "damaged")
    #expect(refusal(bundle)?.message.contains("was changed after its installation") == true)
  }

  @Test func `attack: a bundle beside the lock was not installed`() throws {
    try plugins.write("orbit.example.plugin", try Orbit().bundle().text)

    #expect(try loaded().refused.first?.error.message.contains("was not installed") == true)
    #expect(refusal(try Orbit().bundle())?.field == "bundle")
  }

  @Test func `attack: a link in place of the bundle is not followed`() throws {
    let target = try plugins.write("precious.txt", "mine")
    try FileManager.default.createSymbolicLink(
      atPath: "\(plugins.path)/orbit.example.plugin", withDestinationPath: target)

    #expect(throws: AuthError.self) {
      try installation(try Orbit().bundle(), isForced: true).write()
    }
    #expect(try plugins.read("precious.txt") == "mine")
  }

  @Test func `a bundle that is gone is reported`() throws {
    try install(try Orbit().bundle())
    try FileManager.default.removeItem(atPath: "\(plugins.path)/orbit.example.plugin")

    let problems = LockProblem.missing(in: plugins.path)
    #expect(problems.count == 1)
    #expect(problems.first?.error.message.contains("the file is gone") == true)
  }

  @Test func `a damaged lock stops every bundle`() throws {
    try install(try Orbit().bundle())
    try plugins.write("plugins.lock", "{")

    #expect(try loaded().ids.isEmpty)
    #expect(LockProblem.all(in: plugins.path).first?.file.hasSuffix("plugins.lock") == true)
    #expect(refusal(try Orbit(version: "1.1.0").bundle())?.field == "lock")
  }

  @Test func `a file with the same ID is not hidden by a bundle`() throws {
    try plugins.write(
      "mine.lua",
      """
      return provider {
        id = "orbit.example", name = "Mine",
        credentials = { token = { token = field.secret "the token" } },
        verify = function(credential) return identity { subject = "ada" } end,
      }
      """)

    #expect(refusal(try Orbit().bundle())?.message.contains("mine.lua is the plug-in") == true)
  }

  @Test func `two installations at once do not lose one`() throws {
    let first = try installation(try Orbit().bundle())
    let second = try installation(try Orbit(version: "1.1.0").bundle())
    try first.write()

    let error = #expect(throws: AuthError.self) { try second.write() }
    #expect(error?.field == "lock")
  }
}
