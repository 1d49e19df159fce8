import AuthCore
import AuthTesting
import LuaPlugins
import LuaRuntime
import Testing

@testable import AdminConsole

/// Every setting can be reached from the console.
@Suite struct `Settings in the console` {
  let home: ConsoleHome

  init() throws {
    home = try ConsoleHome()
  }

  private static let leaves = ProjectSettings.settings.flatMap(\.leaves)

  /// The settings that have functions of their own.
  private static let elsewhere: Set<String> = [
    "trust", "mergePolicy", "policyLevel", "policyTrial", "providers", "passwordHashParameters",
    "signIn.blockingFunctions.script",
  ]

  /// The settings of the engine, which are not shown.
  private static let kept: Set<String> = [
    "policyVersions", "subjects", "keyProbe", "rekeys", "signIn.blockingFunctions.functionURIs",
    "keptMembers", "signIn.multiFactor.statedState", "signIn.multiFactor.statedProviders",
  ]

  private static func lua(_ value: JSONValue) -> String {
    guard case .array(let items) = value else { return value.text }
    return "{ \(items.map(lua).joined(separator: ", ")) }"
  }

  /// Returns a table with one value at a path.
  private static func table(_ path: String, _ value: String) -> String {
    path.split(separator: ".").reversed().reduce(value) { "{ \($1) = \($0) }" }
  }

  private func error(_ code: String) throws -> ErrorText {
    ErrorText(try #require(home.failure(code), "\(code)"))
  }

  @Test func `every setting is set, shown and described`() async throws {
    for leaf in Self.leaves {
      guard let other = leaf.otherValue(than: ProjectSettings()) else {
        #expect(Self.elsewhere.union(Self.kept).contains(leaf.path), "\(leaf.path)")
        continue
      }
      try home.run("settings.set(\(Self.table(leaf.path, Self.lua(other))))")

      let stored = try await home.graph.settings(of: home.scope)
      #expect(leaf.value(in: stored) == other, "\(leaf.path)")
      let shown = try #require(try home.run("return settings.get().\(leaf.path)").first)
      #expect(JSONValue(shown) == other, "\(leaf.path)")
      let event = try #require(try await home.graph.events(limit: 1, in: home.scope).first)
      #expect(event.details[leaf.path] != nil, "\(leaf.path): \(event.details)")
      let help = try #require(HelpTopic.all.first { $0.name == "settings.set" }).text
      #expect(help.contains("  \(leaf.name) ") && help.contains(leaf.about), "\(leaf.path)")
    }
    #expect(try await home.graph.settings(of: home.scope) == ProjectSettings.others())
  }

  @Test func `a named setting changes, and the rest stays`() async throws {
    try home.run(
      """
      settings.set { recentLoginSeconds = 60, signIn = {
        allowsSignUp = false, passwordPolicy = { minimumLength = 12, enforcement = "ENFORCE" } } }
      settings.set { signIn = { passwordPolicy = { needsDigit = true } } }
      settings.set { signIn = { displayName = "Berlin" }, dryRun = true }
      """)
    var wanted = ProjectSettings()
    wanted.recentLoginSeconds = 60
    wanted.signIn.allowsSignUp = false
    wanted.signIn.passwordPolicy.minimumLength = 12
    wanted.signIn.passwordPolicy.enforcement = .enforce
    wanted.signIn.passwordPolicy.needsDigit = true
    #expect(try await home.graph.settings(of: home.scope) == wanted)
    try home.run("settings.set { signIn = { displayName = 'Berlin' } }")
    try home.run("settings.set { signIn = { displayName = json.null } }")
    #expect(try await home.graph.settings(of: home.scope) == wanted)
  }

  @Test func `a part of the shown settings can be set again`() async throws {
    try home.run(
      """
      settings.trust("github.com", { "example.com" })
      settings.set(settings.get())
      local s = settings.get().signIn
      s.allowsDeletion = false
      settings.set { signIn = s }
      """)
    let settings = try await home.graph.settings(of: home.scope)
    #expect(!settings.signIn.allowsDeletion && settings.signIn.allowsSignUp)
    #expect(settings.trust[ProviderID("github.com")] == .domains(["example.com"]))
  }

  @Test func `a value of another type, or out of bounds, names the setting`() throws {
    for leaf in Self.leaves where !Self.kept.contains(leaf.path) {
      for value in ["print", "{ x = 1 }", "{ {} }"] {
        let error = try error("settings.set(\(Self.table(leaf.path, value)))")
        #expect(error.field == leaf.path && error.remedy != nil, "\(leaf.path): \(error.line)")
      }
    }
    for (path, value) in [
      ("recentLoginSeconds", "0/0"), ("signIn.passwordPolicy.maximumLength", "5000"),
      ("signIn.closedProviders", "{ 'gogle.com' }"), ("signIn.multiFactor.state", "'enabled'"),
      ("signIn.authorizedDomains", "{ 'https://app.example' }"),
    ] {
      #expect(try error("settings.set(\(Self.table(path, value)))").field == path)
    }
    let lengths = try error(
      "settings.set { signIn = { passwordPolicy = { minimumLength = 20, maximumLength = 10 } } }")
    #expect(lengths.field == "signIn.passwordPolicy.maximumLength")
    #expect(try error("settings.set { signIn = {} }").line.contains("changes nothing"))
  }

  @Test func `an unknown name is answered with the nearest one`() throws {
    let inner = try error("settings.set { signIn = { allowsSignup = false } }")
    #expect(inner.field == "signIn.allowsSignup")
    #expect(inner.line.contains("Did you mean \"allowsSignUp\"?"))
    let outer = try error("settings.set { allowsSignUp = false }")
    #expect(outer.line.contains("Write { signIn = { allowsSignUp = … } }."), "\(outer.line)")
    let kept = try error("settings.set { signIn = { blockingFunctions = { functionURIs = {} } } }")
    #expect(kept.field == "signIn.blockingFunctions.functionURIs")
    #expect(try error("settings.set { keyProbe = 'x' }").field == "keyProbe")
  }

  @Test func `a setting with a function of its own is refused with the function's name`() throws {
    let trust = try error("settings.set { trust = { ['github.com'] = 'always' } }")
    #expect(trust.field == "trust" && trust.remedy?.contains("settings.trust") == true)
    let script = try error("settings.set { signIn = { blockingFunctions = { script = 'x' } } }")
    #expect(script.remedy?.contains("hooks.use") == true)
  }

  @Test func `no secret is shown`() async throws {
    let admin = Caller(scope: home.scope, authority: .admin("ada"), reason: "test")
    _ = try await home.graph.changeSettings(by: admin) {
      $0.passwordHashParameters = ["scrypt": #"{"signerKey":"s3cr3t"}"#]
    }
    try home.run(
      """
      providers.configure("google.com", { clientIDs = { "x" }, clientSecret = "s3cr3t-value" })
      local shown = json.encode(settings.get())
      assert(not shown:find("s3cr3t", 1, true) and shown:find('"scrypt"', 1, true), shown)
      assert(not shown:find("keyProbe", 1, true) and not shown:find("sealed", 1, true), shown)
      """)
  }

  @Test func `help fits on a terminal`() {
    for topic in HelpTopic.all where topic.name.hasPrefix("settings.") {
      for line in topic.text.split(separator: "\n") {
        #expect(line.count <= 106, "\(line)")
      }
    }
  }
}
