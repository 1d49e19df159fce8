import AuthCore
@testable import LuaPlugins
import Testing

@Suite struct `The contract of a plug-in file` {
  private let home = PluginHome()

  private func declaration(_ fields: String) throws -> PluginDeclaration {
    try home.provider(text(fields)).declaration
  }

  private func text(_ fields: String) -> String {
    """
    return provider {
      id = "acme.example", name = "Acme",
      \(fields)
      credentials = { token = { token = field.secret "the token" } },
      verify = function(credential) return identity { subject = "ada" } end,
    }
    """
  }

  private func refusal(_ fields: String) -> AuthError? {
    #expect(throws: AuthError.self) { try declaration(fields) }
  }

  @Test func `a file says its version, author, licence, icon and program`() throws {
    let metadata = try declaration(
      """
      version = "1.2.0", author = "Acme Ltd <plugins@acme.example>", license = "MIT OR Apache-2.0",
      icon = "https://acme.example/icon.png", requires = "authgraph >= 1.0", api = 1,
      """
    ).metadata

    #expect(metadata.version?.description == "1.2.0")
    #expect(
      metadata.texts.map(\.name) == ["release", "author", "license", "icon", "requires"])
    #expect(metadata.icon == .address("https://acme.example/icon.png"))
    #expect(metadata.api == 1)
  }

  @Test func `a file that says nothing is of the first language`() throws {
    let metadata = try declaration("").metadata

    #expect(metadata == PluginMetadata())
    #expect(metadata.texts.isEmpty)
  }

  @Test func `a file for a newer language is refused with what to change`() {
    let error = refusal("api = 2,")

    #expect(error?.code == .invalidPlugin && error?.field == "api")
    #expect(error?.message.contains("test.lua:3: the file is for api 2") == true)
    #expect(error?.remedy?.contains("Update authgraph") == true)
  }

  @Test(arguments: ["api = 0,", "api = -1,", "api = \"1\",", "api = 1.5,"])
  func `no other value is a language`(_ fields: String) {
    #expect(refusal(fields)?.field == "api")
  }

  @Test func `a field of a newer language is no misspelling`() {
    let newer = refusal("api = 2, passkeys = true,")
    let later = refusal("requires = \"authgraph >= 9.1\", passkeys = true,")
    let plain = refusal("api = 1, requires = \"authgraph >= 1.0\", passkeys = true,")

    #expect(newer?.field == "api")
    #expect(later?.field == "requires")
    #expect(later?.message.contains("requires authgraph >= 9.1, and this is authgraph 1.") == true)
    #expect(plain?.message.contains("no field \"passkeys\"") == true)
  }

  @Test func `a function of a newer language is no misspelling either`() {
    let error = #expect(throws: AuthError.self) {
      try home.provider(
        text("api = 2,").replacing("field.secret", with: "field.passkey"))
    }
    let plain = #expect(throws: AuthError.self) {
      try home.provider(text("").replacing("field.secret", with: "field.passkey"))
    }

    #expect(error?.field == "api")
    #expect(plain?.field != "api" && plain?.message.contains("passkey") == true)
  }

  @Test(arguments: ["1.0", "authgraph", "authgraph ~> 1", "authgraph >= one", "other >= 1.0", ","])
  func `a condition that nobody can read is refused`(_ condition: String) {
    let error = refusal("requires = \"\(condition)\",")

    #expect(error?.field == "requires" && error?.message.contains("no condition") == true)
  }

  @Test(arguments: [
    ("authgraph >= 1.0", "1.0.0", true), ("authgraph >= 1.0", "0.9.9", false),
    ("authgraph > 1", "1.0.0", false), ("authgraph < 2", "1.99.0", true),
    ("authgraph>=1.2,authgraph<2", "1.2.0", true), ("authgraph>=1.2,authgraph<2", "2.0.0", false),
    ("authgraph = 1.2.3", "1.2.3", true), ("authgraph <= 1.2", "1.2.1", false),
    ("authgraph >= 1.0", "1.0.0-rc.1", false), ("authgraph >= 1.10", "1.9.0", false),
  ])
  func `conditions compare versions by their numbers`(
    _ condition: String, _ program: String, _ fits: Bool
  ) {
    let misfit = PluginContract.misfit(api: 1, requires: condition, program: program)

    #expect((misfit == nil) == fits)
  }

  @Test func `this program allows what plug-ins of its first release ask for`() {
    #expect(PluginContract.misfit(api: 1, requires: "authgraph >= 1.0") == nil)
    #expect(SemanticVersion(PluginContract.program) != nil)
  }

  /// The order of Semantic Versioning 2.0.0, section 11.
  @Test func `versions have the order of Semantic Versioning`() throws {
    let texts = [
      "0.9.10", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2",
      "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.1.0", "1.10.0", "2.0.0",
    ]
    let versions = texts.compactMap { SemanticVersion($0) }

    #expect(versions.count == texts.count)
    #expect(versions.shuffled().sorted().map(\.description) == texts)
    #expect(SemanticVersion("1.0.0+a") == SemanticVersion("1.0.0+b"))
  }

  @Test(arguments: [
    "1", "1.2", "1.2.3.4", "v1.2.3", "01.2.3", "1.2.3-", "1.2.3-01", "1.2.3-a..b", "1.2.3+",
    "-1.2.3",
    "1.2.x", "1.2.3 ", "١.٢.٣", "1.2.9999999999", "latest", String(repeating: "1", count: 80),
  ])
  func `nothing else is a version`(_ text: String) {
    #expect(SemanticVersion(text) == nil)
    #expect(refusal("version = \"\(text)\",")?.field == "version")
  }

  @Test(arguments: [
    "MIT", "GPL-2.0-or-later", "GPL-2.0+", "(MIT OR Apache-2.0) AND BSD-3-Clause",
    "GPL-2.0-only WITH Classpath-exception-2.0", "LicenseRef-Acme", "DocumentRef-a:LicenseRef-b",
  ])
  func `licences are SPDX expressions`(_ license: String) throws {
    #expect(try declaration("license = \"\(license)\",").metadata.license == license)
  }

  @Test(arguments: [
    "", "MIT License", "MIT OR", "OR MIT", "(MIT", "MIT)", "()", "MIT WITH", "see LICENSE",
    "all rights reserved.", String(repeating: "(", count: 199) + "M",
  ])
  func `other texts about a licence are refused`(_ license: String) {
    #expect(refusal("license = \"\(license)\",")?.field == "license")
  }

  @Test(arguments: [
    "http://acme.example/icon.png", "javascript:alert(1)", "data:text/html;base64,PGI+",
    "data:image/svg+xml;base64,PHN2Zz4=", "data:image/png;base64,", "data:image/png;base64,%%%",
    "../icon.png", "/etc/passwd.png", "shared/icon.png", "icon.svg", "icon", "https://",
    "https://acme.example/i con.png",
  ])
  func `attack: an icon is no script, no other scheme and no other file`(_ icon: String) {
    #expect(refusal("icon = \"\(icon)\",")?.field == "icon")
  }

  @Test func `an icon is a picture of bounded size`() throws {
    let small = "data:image/png;base64,iVBORw0KGgo="
    #expect(try declaration("icon = \"\(small)\",").metadata.icon == .data(small))
    #expect(try declaration("icon = \"icon.webp\",").metadata.icon == .file("icon.webp"))

    let large = "data:image/png;base64," + String(repeating: "AAAA", count: 9_000)
    #expect(refusal("icon = \"\(large)\",")?.field == "icon")
  }

  @Test(arguments: ["a\\nb", "a\\27[31m", String(repeating: "a", count: 201)])
  func `attack: an author's name forges no output`(_ author: String) {
    #expect(refusal("author = \"\(author)\",")?.field == "author")
  }
}
