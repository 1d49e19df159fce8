import AuthCore
import LuaRuntime
import Testing

@testable import AdminConsole

/// Inputs that hold secrets stay out of the history file.
@Suite struct `Secrets in inputs` {
  static let secret = [
    #"accounts.get("tim"):update{ pasword = "hunter2-misspelled" }"#,
    #"accounts.get("tim"):update{ password "hunter2-syntax" }"#,
    #"providers.password.credential("tim@example.org", "hunter2-positional")"#,
    #"auth.signIn(providers.password.credential{ email = "tim@example.org", pass = "hunter2-pass" })"#,
    #"providers.configure("google.com", { clientIDs = { "x" }, clientsecret = "hunter2-case" })"#,
    #"accounts.get('tim'):update(json.decode('{"password":"hunter2-json"}'))"#,
    #"accounts.get("tim"):update{ pw = "hunter2" }"#,
    #"accounts.get("tim"):update{ password = "hunter2" }"#,
    #"accounts.get("tim"):update{ ["password"] = "hunter2" }"#,
    #"accounts.get("tim"):update{ ['pasword'] = 'hunter2' }"#,
    #"accounts.get("tim"):update{ PASSWORD = "hunter2" }"#,
    #"accounts.get("tim"):update{ pwrd = "hunter2" }"#,
    #"accounts.get("tim"):update{ newPassword = "hunter2" }"#,
    #"accounts.get("tim"):update{ my_passwd = "hunter2" }"#,
    #"accounts.get("tim"):update("password", "hunter2")"#,
    #"accounts.get("tim"):update("hunter2")"#,
    #"accounts.get("tim"):update "hunter2""#,
    #"accounts.get("tim"):update{ password = "hunter2"#,
    #"accounts.get("tim"):update{ password: "hunter2" }"#,
    #"accounts.get("tim"):update{ password = “hunter2” }"#,
    #"accounts.get("tim"):update{ password => "hunter2" }"#,
    #"accounts.get("tim"):update{ password == "hunter2" }"#,
    #"accounts.get("tim"):update{ password hunter2 }"#,
    "accounts.get(\"tim\"):update{\n  displayName = \"Tim\",\n  passwrd = \"hunter2\",\n}",
    "accounts.get(\"tim\"):update{ password = [[hunter2]] }",
    "accounts.get(\"tim\"):update{ password [[hunter2]] }",
    "accounts.get(\"tim\"):update{ password = [==[hunter2]==] }",
    #"accounts.create("tim@example.org", "hunter2")"#,
    #"accounts.create{ email = "t@example.org", pasword = "hunter2" }"#,
    #"providers.configure("google.com", "hunter2")"#,
    #"providers.configure("google.com", { clientSecrt = "hunter2" })"#,
    #"providers.configure("google.com", { secret = "hunter2" })"#,
    #"providers.configure("google.com", { apikey = "hunter2" })"#,
    #"providers.configure("apple.com", { privatKey = "hunter2" })"#,
    #"providers.configure("facebook.com", { appSecrett = "hunter2" })"#,
    #"providers["google.com"].credential { idTokn = "eyJhunter2" }"#,
    #"providers["google.com"].credential { "eyJhunter2" }"#,
    #"providers["google.com"].credential "eyJhunter2""#,
    #"providers["google.com"].credentail("eyJhunter2")"#,
    #"providers["google.com"].credential { acessToken = "hunter2" }"#,
    #"providers["password"].credential { email = "tim@example.org", passwort = "hunter2" }"#,
    #"providers.password.credential(json.decode("{\"password\":\"hunter2\"}"))"#,
    #"providers.password.credential(json.decode [[{"email":"x","pasword":"hunter2"}]])"#,
    #"auth.signIn("tim@example.org", "hunter2")"#,
    #"auth.sigIn("tim@example.org", "hunter2")"#,
    #"auth.callback("google.com", "https://app.example/?code=hunter2&state=x")"#,
    #"auth.calback("google.com", "https://app.example/?code=hunter2&state=x")"#,
    #"open:finish("123456")"#, #"open:finnish("123456")"#, "resolver:resolve(123456)",
    #"resolver:resolv("123456")"#, #"pw = "hunter2""#, #"local passphrase = "hunter2""#,
    #"password, email = "hunter2", "tim@example.org""#, #"-- the password is hunter2"#,
    #"x = "password=hunter2&email=tim""#, #"secret("hunter2")"#,
    #"providers.configure("google.com", { clientSecret = secret("hunter2") })"#,
  ]

  static let plain = [
    #"accounts.get "ada""#, #"accounts.get("ada@example.com").displayName"#, "accounts.count()",
    #"accounts.find { emial = "ada@example.com" }"#, #"acounts.get "ada""#,
    #"accounts.each { providerID = "password" }"#, #"accounts.find { displayNam = "Ada" }"#,
    #"accounts.get("tim"):update { displayName = "Tim", reason = "forgot his password" }"#,
    #"accounts.get("tim"):update { displayNam = "Tim" }"#,
    #"accounts.get("tim"):update { customClaims = { role = "editor", mode = "x" } }"#,
    #"accounts.get("tim"):update { customClaims = "editor" }"#,
    #"accounts.get("tim"):unlink "password""#, #"accounts.get("tim"):unlink("password")"#,
    #"accounts.get("tim"):link { providerID = "github.com", subject = "583231" }"#,
    #"for _, a in ipairs(accounts.find { email = "ada@example.com" }) do print(a) end"#,
    #"merge.plan("ada", "tim")"#, "merge.list()", #"merge.list { account = "ada" }"#,
    "providers.password.credentials", #"providers["google.com"].settings"#,
    #"providers.configure("google.com", { clientIDs = { "web.example" } })"#,
    #"providers.configure("google.com", { clientIDs = { "x" }, clientSecret = secret() })"#,
    #"providers.configure("google.com", { clientSecret = json.null, reason = "left" })"#,
    #"auth.signIn(providers.password.credential { email = "tim@example.org", password = secret() })"#,
    "pw = secret()", #"auth.sendCode("phone", "+15555550123")"#,
    #"plan:finish { reason = "over" }"#,
    #"settings.set { identitiesPerProvider = "many" }"#, #"settings.trust("github.com", "never")"#,
    #"policy.use "Scripts/policies/keep-oldest.lua""#, #"help "link""#, "why(lastError)",
    #"accounts.get("ada"):history()[1]"#, #"print("a == b", 1 == 2)"#, "x = 5", "1 +",
    #"accounts.create { email = "new@example.com", emailVerified = "yes" }"#, #"print "open"#,
  ]

  let home: ConsoleHome
  let input: SecretInput

  init() throws {
    home = try ConsoleHome()
    input = SecretInput(home.graph.providers)
    try home.run(
      """
      accounts.create { uid = "tim", email = "tim@example.org", password = "right-horse" }
      accounts.create { uid = "ada", email = "ada@example.com" }
      open = accounts.get("tim")
      """)
  }

  /// Returns the console's decision after an input.
  private func isSecret(_ code: String) -> Bool {
    // It would wait at the terminal that runs the tests.
    guard !code.contains("secret()") else { return input.isSecret(code) }
    return home.failure(code).map { input.isSecret(code, failed: $0) } ?? input.isSecret(code)
  }

  @Test func `C8: secrets stay out of the history with any typing error`() {
    for code in Self.secret { #expect(isSecret(code), "\(code)") }
  }

  @Test func `C8: inputs without a secret are kept`() {
    for code in Self.plain { #expect(!isSecret(code), "\(code)") }
  }

  @Test func `C8: every name of a secret of every provider counts, and every slip of one letter`() {
    let providers = home.graph.providers
    for id in providers.ids {
      guard let manifest = providers[id]?.manifest else { continue }
      let names = manifest.configuration.filter { $0.type == .secret }.map(\.name)
      for name in names where name.count > 5 {
        for place in name.indices {
          var dropped = name
          dropped.remove(at: place)
          let code = "providers.configure('\(id)', { \(dropped) = 'hunter2' })"
          #expect(isSecret(code), "\(code)")
        }
      }
    }
  }

  @Test func `words of a text that is no Lua`() {
    let words = InputToken.all(in: "a.b{ [\"x\"] = 'y\\'z', 5.5 } -- end\n[[long\n]] \"open")
    #expect(
      words.map(\.text) == [
        "a", ".", "b", "{", "[", "x", "]", "=", "y\\'z", ",", "5.5", "}", " end", "long\n", "open",
      ])
  }
}
