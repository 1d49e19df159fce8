import AuthCore
import FakeVendors
import LuaRuntime
import Testing

@testable import AdminConsole

/// A placeholder of a secret is never stored as one.
@Suite struct `Masked secrets in the console` {
  static let masks = [
    "•••", "•", "••", " ••• ", "••••••••", "\t•••\n", "***", "********", "●●●", "…", "...",
    "[redacted]", "<hidden>", "REDACTED",
  ]
  static let parts = ["GOCSPX-•••", "••••7f3a", "the ••• secret", "s3c…ret"]

  let home: ConsoleHome

  init() throws {
    home = try ConsoleHome()
  }

  /// Every secret setting of every provider.
  private var settings: [(provider: String, field: String)] {
    let providers = home.graph.providers
    return (providers.ids + providers.prefixes.map { ProviderID($0 + "work") }).flatMap { id in
      (providers[id]?.manifest.configuration ?? []).filter { $0.type == .secret }
        .map { (id.rawValue, $0.name) }
    }
  }

  private func sealed(_ provider: String, _ field: String) async throws -> String? {
    try await home.graph.configuration(of: ProviderID(provider), in: home.scope)?
      .sealedSecrets[field]
  }

  private func configure(_ provider: String, _ field: String, _ value: String) -> LuaError? {
    home.failure("providers.configure('\(provider)', { ['\(field)'] = \(value) })")
  }

  /// Stores the settings that the provider requires in addition to the secret.
  private func keep(_ provider: String, _ field: String) async throws {
    // Some settings accept only a key.
    let secret =
      try field.hasSuffix("Key") ? SigningKey.shared().privateKeyPEM : "s3cr3t-of-\(provider)"
    let admin = Caller(scope: home.scope, authority: .admin("ada"), reason: "test")
    _ = try await home.graph.configure(
      ProviderID(provider), values: [:],
      secrets: [field: Secret(secret)],
      by: admin)
  }

  @Test func `C3: every secret setting stays byte for byte if any mask comes back`()
    async throws
  {
    let settings = settings
    #expect(settings.count > 20, "\(home.graph.providers.ids) \(settings)")
    for (provider, field) in settings {
      for mask in Self.masks {
        let error = try #require(configure(provider, field, Self.lua(mask)), "\(provider) \(mask)")
        #expect(ErrorText(error).field == field, "\(error)")
        #expect(ErrorText(error).remedy != nil)
        #expect(try await sealed(provider, field) == nil)
      }
      try await keep(provider, field)
      let kept = try #require(try await sealed(provider, field))
      for mask in Self.masks {
        let error = configure(provider, field, Self.lua(mask))
        #expect(error == nil, "\(provider) \(field) \(mask): \(String(describing: error))")
        #expect(try await sealed(provider, field) == kept, "\(provider) \(field) \(mask)")
      }
      for text in Self.parts + ["", "  "] {
        let error = try #require(configure(provider, field, Self.lua(text)), "\(text)")
        // A mask with blanks around it is a mask; blanks alone are empty.
        #expect(ErrorText(error).field == field, "\(error)")
        #expect(try await sealed(provider, field) == kept, "\(provider) \(field) \(text)")
      }
      #expect(configure(provider, field, "nil") != nil)
      #expect(try await sealed(provider, field) == kept)
      try home.run(
        """
        local c = providers['\(provider)'].configuration
        assert(tostring(c['\(field)']) == '•••' and json.encode(c):find('"•••"', 1, true))
        assert(providers.configure('\(provider)', c).action == 'configure-provider')
        assert(providers.configure('\(provider)', { ['\(field)'] = tostring(c['\(field)']) }))
        """)
      #expect(try await sealed(provider, field) == kept, "\(provider) \(field)")
    }
  }

  @Test func `C3: a changed configuration keeps the secret that is in it`() async throws {
    try home.run(
      """
      providers.configure("google.com", { clientIDs = { "x" }, clientSecret = "s3cr3t-value" })
      """)
    let kept = try await sealed("google.com", "clientSecret")
    try home.run(
      """
      local c = providers["google.com"].configuration
      c.clientIDs = { "x", "y" }
      providers.configure("google.com", c)
      """)
    #expect(try await sealed("google.com", "clientSecret") == kept)
    let stored = try await home.graph.configuration(of: .google, in: home.scope)
    #expect(stored?.values["clientIDs"] == ["x", "y"])
  }

  @Test func `C3: the secret of one provider does not become another's`() async throws {
    try await keep("google.com", "clientSecret")
    try await keep("oidc.work", "clientSecret")
    let kept = try await sealed("oidc.work", "clientSecret")
    for code in [
      "providers.configure('oidc.work', { clientSecret = providers['google.com'].configuration.clientSecret })",
      "providers.configure('facebook.com', { appSecret = providers['google.com'].configuration.clientSecret })",
      "accounts.create { email = 'a@example.com', password = providers['google.com'].configuration.clientSecret }",
      "providers.password.credential { email = 'a@example.com', password = providers['google.com'].configuration.clientSecret }",
      "hash.sha256(providers['google.com'].configuration.clientSecret)",
    ] {
      let error = try #require(home.failure(code), "\(code)")
      #expect(!error.description.contains("s3cr3t"))
    }
    #expect(try await sealed("oidc.work", "clientSecret") == kept)
    #expect(try await sealed("facebook.com", "appSecret") == nil)
  }

  @Test func `C3: json.null takes a secret away, and its object means nothing then`() async throws {
    try await keep("google.com", "clientSecret")
    try home.run("c = providers['google.com'].configuration")
    try home.run("providers.configure('google.com', { clientSecret = json.null })")
    #expect(try await sealed("google.com", "clientSecret") == nil)
    let error = try #require(home.failure("providers.configure('google.com', c)"))
    #expect(ErrorText(error).field == "clientSecret")
  }

  @Test(arguments: ["•••", "********", "pass•••"])
  func `C3: a mask is no password`(mask: String) throws {
    try home.run("accounts.create { uid = 'a', email = 'a@example.com', password = 'right-horse' }")
    for code in [
      "accounts.get('a'):update { password = '\(mask)' }",
      "accounts.create { email = 'b@example.com', password = '\(mask)' }",
    ] {
      #expect(ErrorText(try #require(home.failure(code))).field == "password")
    }
    try home.run(
      "auth.signIn(providers.password.credential { email = 'a@example.com', password = 'right-horse' })"
    )
  }

  @Test func `one text stands for secrets everywhere`() {
    #expect(LuaSecret.mask == SecretPlaceholder.text)
    #expect("\(Secret("x"))" == SecretPlaceholder.text)
    #expect(SecretPlaceholder.stands(in: SecretPlaceholder.hash))
  }

  private static func lua(_ text: String) -> String {
    "'" + text.replacing("\n", with: "\\n").replacing("\t", with: "\\t") + "'"
  }
}
