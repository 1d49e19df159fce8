import AuthCore
import Foundation
@testable import LuaPlugins
import Testing
import TestSupport

@Suite struct `Shared modules of plug-ins` {
  private let home = PluginHome()
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/shared", withIntermediateDirectories: true)
  }

  private func plugin(_ first: String, name: String = "names.person(credential.token)") -> String {
    """
    \(first)
    return provider {
      id = "acme.example", name = "Acme", hosts = {},
      credentials = { token = { token = field.text "the token" } },
      verify = function(credential)
        return identity { subject = "ada", displayName = \(name) }
      end,
    }
    """
  }

  private let including = "local names = include \"shared/names.lua\""

  private func names(_ suffix: String) -> String {
    "return { person = function(text) return text .. \"\(suffix)\" end }"
  }

  private func displayName(_ path: String) async throws -> String? {
    let provider = try LuaPlugin.provider(try PluginSource(path: path), host: home.host)
    return try await home.verify(provider, "token", ["token": "Ada"]).profile.displayName
  }

  private func refusal(_ path: String) -> AuthError? {
    #expect(throws: AuthError.self) {
      try LuaPlugin.provider(try PluginSource(path: path), host: home.host)
    }
  }

  @Test func `a module's functions work in each sign-in`() async throws {
    try folder.write("shared/suffix.lua", "return \"!\"")
    try folder.write(
      "shared/names.lua",
      """
      local suffix = include "shared/suffix.lua"
      return { person = function(text) return text:upper() .. suffix end }
      """)
    let path = try folder.write("acme.lua", plugin(including))

    let source = try PluginSource(path: path)
    #expect(source.modules.map(\.name) == ["shared/names.lua", "shared/suffix.lua"])
    #expect(try await displayName(path) == "ADA!")
    #expect(try await displayName(path) == "ADA!")
  }

  @Test func `the whole text has the modules, and is read back as it was`() throws {
    try folder.write("shared/names.lua", names("!") + "\n")
    let source = try PluginSource(path: try folder.write("acme.lua", plugin(including)))

    let stored = PluginSource(name: "acme.lua", text: source.wholeText)

    #expect(stored.text == source.text)
    #expect(stored.modules == source.modules)
    #expect(stored.version == source.version)
    #expect(try LuaPlugin.provider(stored, host: home.host).declaration.name == "Acme")
  }

  @Test func `a file without modules keeps its version`() throws {
    let source = try PluginSource(
      path: try folder.write("acme.lua", plugin("", name: "credential.token")))

    #expect(source.wholeText == source.text)
    #expect(source.version == PluginSource(name: "other.lua", text: source.text).version)
  }

  @Test func `a changed module replaces the plug-ins that include it`() throws {
    try folder.write("shared/names.lua", names("!"))
    try folder.write("acme.lua", plugin(including))
    let plugins = PluginSet(host: home.host)
    try plugins.add(folder: folder.path)
    #expect(plugins.scan().map(\.summary) == ["loaded acme.example"])
    #expect(plugins.scan().isEmpty)

    try folder.write("shared/names.lua", names("?"))
    #expect(plugins.scan().map(\.summary) == ["replaced acme.example"])
    #expect(plugins.scan().isEmpty)

    try folder.write("shared/names.lua", "return {")
    let news = plugins.scan()
    #expect(news.count == 1 && plugins.refused.first?.error.message.contains("names.lua:1") == true)
    #expect(plugins.ids == [ProviderID("acme.example")])
  }

  @Test func `a module that comes later makes its plug-in usable`() throws {
    try folder.write("acme.lua", plugin(including))
    let plugins = PluginSet(host: home.host)
    try plugins.add(folder: folder.path)
    plugins.scan()
    #expect(plugins.ids.isEmpty)

    try folder.write("shared/names.lua", names("!"))
    #expect(plugins.scan().map(\.summary) == ["loaded acme.example"])
    #expect(plugins.refused.isEmpty)
  }

  @Test(arguments: [
    "../secret.lua", "/etc/passwd", "shared/../acme.lua", "other.lua", "shared/./a.lua", "shared/",
    "shared//a.lua", "shared\\\\..\\\\a.lua",
  ])
  func `attack: a module is only a file below the folder shared`(_ name: String) throws {
    let path = try folder.write("acme.lua", plugin("local names = include \"\(name)\""))

    let error = refusal(path)
    #expect(error?.code == .invalidPlugin)
    #expect(error?.message.contains("acme.lua:1") == true)
  }

  @Test func `attack: a name that is computed names no module`() throws {
    try folder.write("shared/names.lua", names("!"))
    let path = try folder.write(
      "acme.lua", plugin("local names = include(\"shared/\" .. \"names.lua\")"))

    // The first text is taken for the name, and is none.
    #expect(refusal(path)?.code == .invalidPlugin)
  }

  @Test func `attack: a pipe in place of a module blocks nothing`() throws {
    #expect(mkfifo("\(folder.path)/shared/names.lua", 0o600) == 0)
    let path = try folder.write("acme.lua", plugin(including))

    #expect(refusal(path)?.message.contains("is no file") == true)
  }

  @Test func `attack: modules that include each other end`() throws {
    try folder.write("shared/names.lua", "return include \"shared/other.lua\"")
    try folder.write("shared/other.lua", "return include \"shared/names.lua\"")
    let path = try folder.write("acme.lua", plugin(including))

    #expect(refusal(path)?.message.contains("includes") == true)
  }

  @Test func `attack: a module cannot write globals, read files or load code`() throws {
    for body in ["leak = 1", "io.open(\"/etc/passwd\")", "load(\"return 1\")()", "string.x = 1"] {
      try folder.write("shared/names.lua", "\(body)\nreturn {}")
      let path = try folder.write("acme.lua", plugin(including))
      let error = refusal(path)
      #expect(error?.code == .invalidPlugin, "\(body)")
      #expect(error?.message.contains("shared/names.lua:1") == true, "\(error?.message ?? "")")
    }
  }

  @Test func `attack: what a module keeps does not reach the next sign-in`() async throws {
    try folder.write(
      "shared/names.lua",
      """
      local last = "nobody"
      return { person = function(text) local before = last; last = text; return before end }
      """)
    let path = try folder.write("acme.lua", plugin(including))
    let provider = try LuaPlugin.provider(try PluginSource(path: path), host: home.host)

    for _ in 0..<3 {
      let identity = try await home.verify(provider, "token", ["token": "Ada"])
      #expect(identity.profile.displayName == "nobody")
    }
  }

  @Test func `a mistake of a module at a sign-in is logged with its own line`() async throws {
    try folder.write(
      "shared/names.lua", "return {\n  person = function(text) return text.no.such end,\n}")
    let path = try folder.write("acme.lua", plugin(including))
    let provider = try LuaPlugin.provider(try PluginSource(path: path), host: home.host)

    await #expect(throws: AuthError.self) {
      try await home.verify(provider, "token", ["token": "Ada"])
    }
    #expect(home.log.text.contains("shared/names.lua:2"), "\(home.log.text)")
  }

  @Test func `a check looks into modules`() throws {
    try folder.write("shared/names.lua", "return { person = function(text) return txet end }")
    let path = try folder.write("acme.lua", plugin(including))

    let findings = PluginCheck.findings(in: try PluginSource(path: path))
    let unknown = findings.first { $0.code == "unknown-global" }
    #expect(unknown?.file == "shared/names.lua" && unknown?.line == 1)
  }
}
