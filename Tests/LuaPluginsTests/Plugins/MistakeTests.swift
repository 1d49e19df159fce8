import AuthCore
import Foundation
import LuaPlugins
import Testing
import TestSupport

/// Mistakes of authors: each is found by the check with its line, the name at fault and the remedy.
@Suite struct `Mistakes in plug-ins` {
  let home = PluginHome()

  /// A mistake: what is written in place of what, and the expected finding.
  struct Mistake: Sendable, CustomTestStringConvertible {
    let right: String
    let wrong: String
    let code: String
    let line: Int?
    let words: [String]
    var testDescription: String { wrong.isEmpty ? "without \(right)" : wrong }

    init(_ right: String, _ wrong: String, _ code: String, line: Int?, says words: String...) {
      (self.right, self.wrong, self.code) = (right, wrong, code)
      (self.line, self.words) = (line, words)
    }
  }

  private static let custom = """
    return provider {
      id = "acme.example", name = "Acme", kind = "custom", documentation = "https://acme.example/docs",
      hosts = { "api.acme.example" },
      settings = { clientID = setting.text "the client's ID", clientSecret = setting.secret "its secret" },
      credentials = { authorizationCode = { code = field.secret "the code" } },
      authorize = { "https://acme.example/authorize",
        parameters = { client_id = "{clientID}", state = "{state}", redirect_uri = "{redirectURI}" },
        callback = { code = "code" } },
      verify = function(credential, http, settings)
        local me = http.get("https://api.acme.example/me", { bearer = credential.code }):json()
        return identity { subject = me.id, displayName = text(me, "name"), claims = me }
      end,
    }
    """

  private static let oauth = """
    return provider {
      id = "acme.example", name = "Acme", kind = "oauth2", documentation = "https://acme.example/docs",
      hosts = { "acme.example", "api.acme.example" },
      authorize = "https://acme.example/authorize",
      token = "https://acme.example/token",
      userinfo = "https://api.acme.example/me",
      app = { "https://api.acme.example/app", clientID = "client" },
      scopes = { "profile" },
      identity = {
        subject = "id",
        email = "email", emailVerified = "verified",
      },
    }
    """

  private static let ofFunctions = [
    Mistake(
      "bearer = credential.code", "bearer = settings.clientId", "unknown-setting", line: 10,
      says: #""clientId""#, #"Did you mean "clientID"?"#),
    Mistake(
      "credential.code", "credential.kode", "unknown-credential-field", line: 10, says: #""kode""#,
      #"Did you mean "code"?"#),
    Mistake(
      #"hosts = { "api.acme.example" }"#, "hosts = {}", "undeclared-host", line: 10,
      says: "api.acme.example is asked", #"Add "api.acme.example" to hosts."#),
    Mistake(
      "https://api.acme.example/me", "http://api.acme.example/me", "plain-http", line: 10,
      says: "without TLS", "Write https"),
    Mistake(
      "local me =", "me =", "global-write", line: 10, says: #""me" is no local"#, "Write local me"),
    Mistake(
      "text(me", "txet(me", "unknown-global", line: 11, says: #""txet""#, #"Did you mean "text"?"#),
    Mistake(
      "subject = me.id", "subject = os.time()", "unknown-global", line: 11, says: #"no "os""#,
      "time.now()"),
    Mistake(
      "return identity", "print(me) return identity", "unknown-global", line: 11,
      says: #"no "print""#,
      "Log.info(text)"),
    Mistake(
      "return identity", "io.write(me) return identity", "unknown-global", line: 11,
      says: #"no "io""#,
      "no files"),
    Mistake(
      "return identity", "require 'json' return identity", "unknown-global", line: 11,
      says: #"no "require""#, "no other code"),
    Mistake("}):json()", "})", "unread-response", line: 11, says: "has no id", ":json()"),
    Mistake("}):json()", "}).json()", "unread-response", line: 10, says: "with a dot", "colon"),
    Mistake(
      "return identity {",
      #"if hash.sha256("a") == me.hash then refuse "no" end return identity {"#, "open-comparison",
      line: 11, says: "==", "hash.equals"),
    Mistake(
      "return identity", #"pcall(function() refuse "no" end) return identity"#, "caught-failure",
      line: 11, says: "refuse", "Leave pcall out"),
    Mistake(
      "subject = me.id", "subject = me.login", "mutable-subject", line: 11, says: "login",
      "never changes"
    ),
    Mistake(
      "claims = me", "emailVerified = true", "verified-without-source", line: 11,
      says: "without a word",
      "Name the member"),
    Mistake(
      #""https://acme.example/authorize","#,
      #"function(request) return "https://acme.example/a?state=" .. request.state .. request.redirectUri end,"#,
      "unknown-request-field", line: 6, says: #""redirectUri""#, #"Did you mean "redirectURI"?"#),
  ]

  private static let ofDeclarations = [
    Mistake(
      "documentation =", "documentaton =", "does-not-load", line: 2, says: #""documentaton""#,
      #"Did you mean "documentation"?"#),
    Mistake(
      #"setting.text "the client's ID""#, #"setting.text { "the client's ID", requird = true }"#,
      "does-not-load", line: 4, says: #""requird""#, #"did you mean "required"?"#),
    Mistake(
      "field.secret", "field.secrt", "does-not-load", line: 5, says: "secrt",
      "did you mean 'secret'?"),
    Mistake(
      #"field.secret "the code""#, #""the code""#, "does-not-load", line: 5, says: "is no field",
      "field.secret"),
    Mistake(
      "code = field.secret", "code = field.text", "secret-as-text", line: 5, says: "The field code",
      "field.secret"),
    Mistake(
      "the code\" } },", "the code\" } }", "does-not-load", line: 6, says: "near 'authorize'",
      "A comma is missing"),
    Mistake("  end,\n", "  ,\n", "does-not-load", line: 13, says: "near '}'", "Correct the file."),
    Mistake(
      #"callback = { code = "code" }"#, #"callback = { kode = "code" }"#, "does-not-load", line: 8,
      says: #""kode""#, #"Did you mean "code"?"#),
    Mistake(
      #"state = "{state}", "#, "", "no-state", line: 6, says: "no state", #"state = "{state}""#),
    Mistake(
      #"code = field.secret "the code""#,
      #"code = field.secret "the code", deviceID = field.text "it""#, "does-not-load", line: 8,
      says: "the required deviceID", "callback = { deviceID"),
    Mistake(
      "authorizationCode =", "authorisationCode =", "does-not-load", line: 5,
      says: "no credential authorizationCode", "Declare authorizationCode"),
    Mistake(
      #"credentials = { authorizationCode = { code = field.secret "the code" } },"#, "",
      "does-not-load", line: nil, says: "credentials is missing", "Write credentials"),
    Mistake(
      "verify =", "verfy =", "does-not-load", line: 9, says: #""verfy""#, #"Did you mean "verify"?"#
    ),
  ]

  private static let ofMappings = [
    Mistake(
      #"subject = "id""#, #"subject = "email""#, "mutable-subject", line: 10,
      says: "the address itself",
      "never changes"),
    Mistake(
      #"subject = "id""#, #"subject = "data.mail.address""#, "mutable-subject", line: 10,
      says: "data.mail.address, the address itself", "never changes"),
    Mistake(
      #"subject = "id""#, #"subject = "login""#, "mutable-subject", line: 10, says: "login",
      "never changes"),
    Mistake(
      #"subject = "id""#, #"subject = "id..x""#, "does-not-load", line: 10,
      says: #""id..x" is no path"#,
      "data.id"),
    Mistake(
      #"subject = "id""#, #"subjekt = "id""#, "does-not-load", line: 10, says: #""subjekt""#,
      #"Did you mean "subject"?"#),
    Mistake(
      #"emailVerified = "verified""#, "emailVerified = true", "does-not-load", line: 11,
      says: "true without a source", "Name the field"),
    Mistake(
      #"emailVerified = "verified""#, #"emailVerified = "email""#, "verified-without-source",
      line: 11, says: "email is the address itself", "Name the member"),
    Mistake(
      #"kind = "oauth2""#, #"kind = "oath2""#, "does-not-load", line: 2, says: #""oath2""#,
      #"Did you mean "oauth2"?"#),
    Mistake(
      "https://api.acme.example/me", "https://me.acme.example/me", "does-not-load", line: 6,
      says: "me.acme.example", #"Add "me.acme.example" to hosts."#),
    Mistake(
      "https://acme.example/token", "https://acme.example/{tenant}/token", "does-not-load", line: 5,
      says: "{tenant}, which is no setting", "Choose one of"),
    Mistake(
      #"clientID = "client""#, #"query = { key = "{clientSecret}" }, clientID = "client""#,
      "does-not-load", line: 7, says: "{clientSecret}, which is a secret", "basic = true"),
    Mistake(
      #"authorize = "https://acme.example/authorize""#, "authorize = { 7 }", "does-not-load",
      line: 4, says: "authorize must be a text, and is a table", "Correct the file."),
    Mistake(
      #"hosts = { "acme.example""#, #"hosts = { "https://acme.example""#, "does-not-load", line: 3,
      says: "is no host name", "without scheme"),
    Mistake(
      #""https://acme.example/token""#, #""acme.example/token""#, "does-not-load", line: 5,
      says: "no absolute URL", "Begin it with https://."),
    Mistake(
      "scopes =", "pkce = false, scopes =", "no-pkce", line: 8, says: "without PKCE",
      "Leave pkce = false out"),
    Mistake(
      "scopes =", "scope =", "does-not-load", line: 8, says: #""scope""#, #"Did you mean "scopes"?"#
    ),
    Mistake(
      #", clientID = "client""#, "", "does-not-load", line: 7, says: "app.clientID is missing",
      "application.id"),
    Mistake(
      #"hosts = { "acme.example","#, #"hosts = { "acme.example", "old.acme.example","#,
      "unused-host", line: 3, says: "old.acme.example", "Take it out of hosts."),
  ]

  private func findings(_ text: String) -> [PluginFinding] {
    PluginCheck.findings(in: PluginSource(name: "acme.example.lua", text: text))
  }

  @Test func `the right files have no finding`() {
    #expect(findings(Self.custom) == [])
    #expect(findings(Self.oauth) == [])
  }

  @Test(arguments: ofFunctions + ofDeclarations)
  func `a mistake in a file with verify is found by the check`(_ mistake: Mistake) {
    expectFound(mistake, in: Self.custom)
  }

  @Test(arguments: ofMappings)
  func `a mistake in a declaration is found by the check`(_ mistake: Mistake) {
    expectFound(mistake, in: Self.oauth)
  }

  private func expectFound(_ mistake: Mistake, in text: String) {
    let changed = text.replacing(mistake.right, with: mistake.wrong, maxReplacements: 1)
    #expect(changed != text, "\(mistake.right) is not in the file")

    let found = findings(changed)

    let finding = found.first { finding in
      let said = "\(finding.message) \(finding.remedy)"
      return finding.code == mistake.code && mistake.words.allSatisfy(said.contains)
    }
    #expect(finding != nil, "\(found)")
    #expect(finding?.line == mistake.line, "\(found)")
    #expect(found.allSatisfy { !$0.remedy.contains("plugin check") && !$0.remedy.isEmpty })
  }

  @Test func `the public key of a client does not sound like a secret`() {
    #expect(findings(Self.custom.replacing("clientID", with: "clientKey")) == [])
  }

  @Test func `the word PKCE in the notes waives its warning`() {
    func codes(_ notes: String) -> [String] {
      let fields = "pkce = false, notes = \"\(notes)\", scopes ="
      return findings(Self.oauth.replacing("scopes =", with: fields)).map(\.code)
    }

    #expect(codes("Not confirmed: PKCE (not documented, therefore not sent).") == [])
    #expect(codes("No addresses come.") == ["no-pkce"])
  }

  @Test func `a forgotten local is one finding`() {
    let text = Self.custom.replacing("local me =", with: "me =")

    #expect(findings(text).map(\.code) == ["global-write"])
  }

  @Test func `a file that is named otherwise than its provider is a warning`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("acme.lua", Self.oauth)

    let found = PluginCheck.findings(in: try PluginSource(path: path))

    let finding = try #require(found.first { $0.code == "other-id" })
    #expect(finding.severity == .warning && finding.line == 2)
    #expect(finding.remedy.contains("acme.example.lua"))
  }

  /// Mistakes that show at a sign-in, with a part of the log's line.
  private static let atSignIn = [
    (#"http.get("https://api.test.example/me", { baerer = "x" })"#, #"did you mean "bearer"?"#),
    (#"pick(http.get("https://api.test.example/me"), "id")"#, "read it with :json()"),
    (#"text(http.get("https://api.test.example/me"), "id")"#, "read it with :json()"),
    (#"http.get("https://api.test.example/me").json()"#, "with a colon"),
    ("pick(credential.token, 'id')", "table expected, got secret"),
    (#"http.get("https://other.example/me")"#, "other.example"),
    (#"refuse { "no", step = "profil" }"#, "takes the steps"),
    (#"refuse { "no", stpe = "profile" }"#, #"did you mean "step"?"#),
    (#"identity { subjekt = "7" }"#, #"did you mean "subject"?"#),
    ("os.time()", "time.now() is the time"), ("settings.x.y()", "nil"),
  ]

  @Test(arguments: atSignIn)
  func `a mistake at a sign-in is logged with its line`(call: String, words: String) async {
    home.vendor.answer("GET https://api.test.example/me", json: ["id": "7"])

    let error = await expectError(.pluginFailed) {
      try await home.verify("local x = \(call) return identity { subject = '7' }")
    }

    #expect(error != nil)
    #expect(home.log.text.contains(words), "\(home.log.text)")
    #expect(home.log.text.contains("test.lua:5"), "\(home.log.text)")
    #expect(!home.log.text.contains("?.") && !home.log.text.contains(".."), "\(home.log.text)")
  }
}
