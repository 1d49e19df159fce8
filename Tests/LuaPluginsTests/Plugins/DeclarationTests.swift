import AuthCore
@testable import LuaPlugins
import Testing
import TestSupport

@Suite struct DeclarationTests {
  let home = PluginHome()

  /// An error in a declaration, with its message, field and line.
  struct Mistake: Sendable, CustomStringConvertible {
    let text: String
    let why: String
    let field: String?
    let line: Int
    var description: String { why }

    init(_ fields: String, _ why: String, field: String?, line: Int) {
      text = fields
      self.why = why
      self.field = field
      self.line = line
    }
  }

  private static let plain = """
    id = "acme.example", name = "Acme", kind = "oauth2", hosts = { "api.acme.example" },
    authorize = "https://acme.example/a", token = "https://api.acme.example/t",
    """

  static let mistakes = [
    Mistake(
      "id = \"a b\", name = \"A\", kind = \"custom\"", "other characters", field: "id", line: 2),
    Mistake("id = \"a\", kind = \"custom\"", "name is missing", field: "name", line: 0),
    Mistake("id = \"a\", name = \"A\"", "kind is missing", field: "kind", line: 0),
    Mistake(
      "id = \"a\",\n name = \"A\",\n kind = \"oath2\"", "cannot be \"oath2\"", field: "kind",
      line: 4),
    Mistake(
      plain + "\n usrinfo = \"https://api.acme.example/me\"", "no field \"usrinfo\"",
      field: "usrinfo", line: 4),
    Mistake(
      plain + "\n identity = { subject = \"id\" }", "userinfo is missing", field: "userinfo",
      line: 0),
    Mistake(
      plain + "\n userinfo = \"https://api.acme.example/me\"", "identity.subject is missing",
      field: "identity.subject", line: 0),
    Mistake(
      plain + "\n userinfo = \"https://other.example/me\",\n identity = { subject = \"id\" }",
      "hosts does not name", field: "userinfo", line: 4),
    Mistake(
      plain + "\n userinfo = \"https://api.acme.example/{me}\",\n identity = { subject = \"id\" }",
      "no setting", field: "userinfo", line: 4),
    Mistake(
      plain + "\n userinfo = \"api.acme.example/me\",\n identity = { subject = \"id\" }",
      "no absolute URL", field: "userinfo", line: 4),
    Mistake(
      plain
        + "\n userinfo = \"https://api.acme.example/me\",\n identity = { subject = \"id\",\n emailVerified = true }",
      "true without a source", field: "identity.emailVerified", line: 6),
    Mistake(
      plain + "\n userinfo = \"https://api.acme.example/me\",\n identity = { subject = \"id..x\" }",
      "is no path", field: "identity.subject", line: 5),
    Mistake(
      plain + "\n userinfo = \"https://api.acme.example/me\",\n identity = { subjekt = \"id\" }",
      "no field \"subjekt\"", field: "identity.subjekt", line: 5),
    Mistake(
      "id = \"a\", name = \"A\", hosts = { \"https://a.example\" }, verify = function() end",
      "no host name", field: "hosts", line: 2),
    Mistake(
      "id = \"a\", name = \"A\", hosts = { \"*.a.example\" }, verify = function() end",
      "no host name", field: "hosts", line: 2),
    Mistake(
      "id = \"a\", name = \"A\", hosts = { \"{domain}\" }, verify = function() end",
      "no setting of type host", field: "hosts", line: 2),
    Mistake(
      "id = \"a\", name = \"A\", verify = function() end", "credentials is missing",
      field: "credentials",
      line: 0),
    Mistake(
      "id = \"a\", name = \"A\", credentials = { t = { t = \"x\" } }, verify = function() end",
      "is no field", field: "credentials.t.t", line: 2),
    Mistake(
      "id = \"a\", name = \"A\", kind = \"oidc\", issuer = \"https://a.example\",\n algorithms = { \"HS256\" }",
      "cannot be signed with HS256", field: "algorithms", line: 3),
    Mistake(
      "id = \"a\", name = \"A\", kind = \"oidc\", issuer = \"https://a.example\",\n algorithms = { \"none\" }",
      "cannot be signed with none", field: "algorithms", line: 3),
    Mistake(
      "id = \"a\", name = \"A\", kind = \"oidc\"", "issuer is missing", field: "issuer", line: 0),
    Mistake(
      "id = \"a\", name = \"A\",\n settings = { clientID = setting.text \"x\" }, kind = \"oidc\", issuer = \"https://a.example\"",
      "anyway", field: "settings.clientID", line: 3),
    Mistake(
      "id = field.secret(\"x\"), name = \"A\", kind = \"custom\"", "id must be a text", field: "id",
      line: 2),
    Mistake(
      "id = \"a\", name = \"A\", credentials = { t = { t = field.secrt \"x\" } }",
      "did you mean 'secret'", field: nil, line: 2),
    Mistake(
      "id = \"a\", name = \"A\", x = undefinedThing.y", "undefinedThing", field: nil, line: 2),
    Mistake(
      "id = \"a\", name = \"A\", kind = \"oidc\", hosts = { \"other.example\" },\n issuer = \"https://id.example\"",
      "hosts does not name", field: "issuer", line: 3),
    Mistake(
      "id = \"a\", name = \"A\", kind = \"oidc\", hosts = { \"id.example\" }, issuer = \"https://id.example\",\n settings = { k = setting.secret \"x\" },\n parameters = { k = \"{k}\" }",
      "which is a secret", field: "parameters.k", line: 4),
    Mistake(
      "id = \"a\", name = \"A\", kind = \"oidc\", hosts = { \"{server}\" }, settings = { server = setting.url \"x\" },\n issuer = \"https://{server}/\"",
      "whole URL", field: "issuer", line: 3),
  ]

  @Test(arguments: mistakes)
  func `a mistake in a declaration is reported with its file, line and field`(
    _ mistake: Mistake
  ) async throws {
    let error = #expect(throws: AuthError.self) {
      try home.provider("return provider {\n\(mistake.text)\n}", name: "acme.lua")
    }

    #expect(error?.code == .invalidPlugin)
    #expect(error?.description.contains(mistake.why) == true, "\(String(describing: error))")
    #expect(error?.field == mistake.field)
    #expect(error?.remedy != nil)
    let place = mistake.line == 0 ? "acme.lua:" : "acme.lua:\(mistake.line):"
    #expect(error?.message.hasPrefix(place) == true, "\(String(describing: error))")
  }

  @Test func `nothing but the declaration runs when a file is read, and nothing is asked`() throws {
    for call in [
      "http.get('https://a.example')", "jwt.verify('a', 'b')", "identity { subject = 1 }",
      "oauth.exchange({}, {})", "once('a', 1)", "os.exit(1)", "io.open('/etc/passwd')",
      "require 'os'", "load('return 1')()", "x = 1", "string.dump(print)",
    ] {
      let error = #expect(throws: AuthError.self, "\(call)") {
        try home.provider("\(call)\nreturn provider { id = 'a', name = 'A' }")
      }
      #expect(error?.code == .invalidPlugin && error?.message.hasPrefix("test.lua:1:") == true)
    }
    #expect(home.vendor.requests.isEmpty)
  }

  @Test func `settings that are declared are those that an admin can set`() throws {
    let provider = try home.provider(
      """
      return provider {
        id = "acme.example", name = "Acme", kind = "oidc", hosts = { "{domain}" },
        issuer = "https://{domain}/", settings = {
          domain = setting.host { "the tenant's domain", required = true },
          region = setting.text { "where it is", default = "eu" }, key = setting.secret "a key",
        },
      }
      """)

    let fields = provider.manifest.configuration
    #expect(
      fields.map(\.name) == [
        "clientID", "clientSecret", "audiences", "scopes", "domain", "key", "region", "servers",
        "privateHosts",
      ])
    let domain = try #require(fields.first { $0.name == "domain" })
    #expect(domain.isRequired && domain.namesSubjects)
    #expect(fields.first { $0.name == "key" }?.type == .secret)
    #expect(fields.first { $0.name == "region" }?.summary == "where it is (usually eu)")
    for domain in ["https://a.example", "a.example/x", "a b", "a.example@evil.example", ""] {
      let error = #expect(throws: AuthError.self) {
        try provider.check(ProviderSettings(provider.id, ["domain": .string(domain)]))
      }
      #expect(error?.field == "domain")
    }
    try provider.check(ProviderSettings(provider.id, ["domain": "id.acme.example:8443"]))
  }

  @Test func `a server may stand in for the host of the sign-in page, and for no other`() throws {
    let provider = try home.provider(
      """
      return provider {
        id = "acme", name = "Acme", kind = "oauth2", hosts = { "api.acme.example" },
        authorize = "https://pages.acme.example/authorize", token = "https://api.acme.example/token",
        userinfo = "https://api.acme.example/me", identity = { subject = "id" },
      }
      """)
    func check(_ host: String) throws {
      try provider.check(
        ProviderSettings(provider.id, ["servers": [host: "http://127.0.0.1:8400"]]))
    }

    try check("api.acme.example")
    try check("pages.acme.example")
    let error = #expect(throws: AuthError.self) { try check("evil.example") }
    #expect(error?.field == "servers")
  }

  @Test func `a path is written as in Lua`() {
    let json: JSONValue = [
      "id": 1, "data": ["id": "x", "list": [["url": "u"], .null]], "https://a.b/c": "long",
    ]
    let paths: [(String, JSONValue?)] = [
      ("id", 1), ("data.id", "x"), ("data.list[1].url", "u"), ("data.list[2]", nil),
      ("data.list[3]", nil), ("[\"https://a.b/c\"]", "long"), ("data[\"id\"]", "x"), ("id.x", nil),
      ("nothing.at.all", nil), ("data['id']", "x"),
    ]
    for (path, value) in paths { #expect(PluginPath(path)?.value(in: json) == value, "\(path)") }
    for bad in ["", ".id", "id.", "id..x", "[0]", "[1]", "id[0]", "id[-1]", "id[x]", "a b", "id]"] {
      #expect(PluginPath(bad) == nil, "\(bad)")
    }
  }

  @Test(arguments: [("subjectsPerApp = true,", true), ("", false)])
  func `F20: a client of a vendor whose subjects are each app's own stays as it is`(
    word: String, isBound: Bool
  ) throws {
    let plugin = try home.provider(
      """
      return provider {
        id = "apps.example", name = "Apps", kind = "oauth2", hosts = { "id.apps.example" }, \(word)
        authorize = "https://id.apps.example/authorize", token = "https://id.apps.example/token",
        userinfo = "https://id.apps.example/me", identity = { subject = "id" },
      }
      """)
    let client = try #require(plugin.manifest.configuration.first { $0.name == "clientID" })
    #expect(client.namesSubjects == isBound)
  }

}
