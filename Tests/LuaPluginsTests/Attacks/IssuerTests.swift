import AuthCore
import AuthTesting
import FakeVendors
import LuaPlugins
import Testing
import TestSupport

/// The issuers of a plug-in's subjects.
@Suite struct `A plug-in's issuers` {
  let vendor = ScriptedVendor()
  let clock = FixedClock()
  let key = SigningKey.p256(keyID: "key-1")

  private let tenants = """
    return provider {
      id = "tenants.example", name = "Tenants", kind = "oidc", hosts = { "login.tenants.example" },
      settings = { tenants = setting.list { "the tenants", required = true } },
      issuer = "https://login.tenants.example/{tenants}/v2.0",
      keys = "https://login.tenants.example/keys", algorithms = { "ES256" }, discovery = false,
    }
    """

  private func token(
    issuer: String, subject: String, email: String? = nil, audience: String = "the-client"
  ) throws -> String {
    let now = clock.now.milliseconds / 1000
    return try key.jws([
      "iss": .string(issuer), "sub": .string(subject), "aud": .string(audience),
      "iat": .integer(now), "exp": .integer(now + 3600), "email": .optional(email),
      "email_verified": true,
    ])
  }

  private func home(_ text: String, keys: String) throws -> PluginGraph {
    vendor.answer("GET \(keys)", json: ["keys": [key.jwk]])
    return try PluginGraph(text, transport: vendor, clock: clock)
  }

  private func withTenants() async throws -> PluginGraph {
    let home = try home(tenants, keys: "https://login.tenants.example/keys")
    try await home.configure(
      "tenants.example", ["clientID": "the-client", "tenants": ["red", "blue"]])
    return home
  }

  @Test func `attack 6: equal subjects of two tenants are two people`() async throws {
    let home = try await withTenants()
    let (red, blue) = (
      "https://login.tenants.example/red/v2.0", "https://login.tenants.example/blue/v2.0"
    )

    let first = try await home.signIn(
      "tenants.example", ["idToken": token(issuer: red, subject: "7")])
    let second = try await home.signIn(
      "tenants.example", ["idToken": token(issuer: blue, subject: "7")])

    #expect(first.account.id != second.account.id)
    #expect(first.account.identities.map(\.key.issuer) == [red])
    #expect(second.account.identities.map(\.key.issuer) == [blue])
  }

  @Test func `attack 6: an address of another tenant leads to no account`() async throws {
    let home = try await withTenants()
    let victim = try await home.signIn(
      "tenants.example",
      [
        "idToken": token(
          issuer: "https://login.tenants.example/red/v2.0", subject: "7",
          email: "ada@example.com")
      ])

    let error = await expectError {
      try await home.signIn(
        "tenants.example",
        [
          "idToken": token(
            issuer: "https://login.tenants.example/blue/v2.0", subject: "8",
            email: "ada@example.com")
        ])
    }

    #expect(error?.code == .accountExistsWithDifferentCredential)
    #expect(try await home.account(victim.account.id).identities.count == 1)
  }

  @Test(arguments: [
    "https://login.tenants.example/green/v2.0", "https://login.tenants.example/{tenants}/v2.0",
    "https://login.tenants.example/red/v2.0/", "https://LOGIN.tenants.example/red/v2.0",
    "https://login.tenants.example/red%2Fv2.0", "https://evil.example/red/v2.0", "red", "",
  ])
  func `attack 7: a tenant that is not configured is refused without a request`(
    _ issuer: String
  ) async throws {
    let home = try await withTenants()

    let error = await expectError {
      try await home.signIn("tenants.example", ["idToken": token(issuer: issuer, subject: "7")])
    }

    #expect(error?.code == .invalidCredential && error?.step == .token)
    #expect(vendor.requests.isEmpty)
    #expect(try await home.accountCount() == 0)
  }

  @Test(arguments: ["red/../blue", "red?x=", "red#", "../red", "red/v2.0/x"])
  func `attack 7: a tenant's name cannot become another path`(_ tenant: String) async throws {
    let home = try await withTenants()
    try await home.configure("tenants.example", ["tenants": [.string(tenant)]])

    let error = await expectError {
      try await home.signIn(
        "tenants.example",
        ["idToken": token(issuer: "https://login.tenants.example/blue/v2.0", subject: "7")])
    }

    #expect(error?.code == .invalidCredential)
  }

  @Test func `attack 7: a vendor's address stays as it is while it has accounts`()
    async throws
  {
    let text = """
      return provider {
        id = "forge.example", name = "Forge", kind = "oidc", hosts = { "{address}" },
        settings = { address = setting.url { "the instance", default = "https://forge.example" } },
        issuer = "{address}", keys = "{address}/keys", algorithms = { "ES256" }, discovery = false,
      }
      """
    let home = try home(text, keys: "https://forge.example/keys")
    try await home.configure("forge.example", ["clientID": "the-client"])
    // Without identities the issuer may be chosen.
    try await home.configure("forge.example", ["address": "https://other.example"])
    try await home.configure("forge.example", ["address": .null])
    let fields = ["idToken": try token(issuer: "https://forge.example", subject: "7")]
    _ = try await home.signIn("forge.example", fields)

    let error = await expectError {
      try await home.configure("forge.example", ["address": "https://evil.example"])
    }

    #expect(error?.code == .operationNotAllowed && error?.field == "address")
    // Setting the current value again changes nothing.
    try await home.configure("forge.example", ["address": "https://forge.example"])
    try await home.configure("forge.example", ["address": .null])
  }

  @Test(arguments: ["HS256", "HS512", "none", "None", "nOnE", "", "RS1"])
  func `attack 16: a plug-in cannot declare an unsafe algorithm`(_ algorithm: String) {
    let oidc = tenants.replacing("\"ES256\"", with: "\"\(algorithm)\"")
    let custom = script(
      "return nil",
      declaring: """
        tokens = { login = { issuer = "https://api.test.example", keys = "https://api.test.example/keys",
          audience = "x", algorithms = { "\(algorithm)" } } },
        """)
    for text in [oidc, custom] {
      let error = #expect(throws: AuthError.self) { try PluginGraph(text, transport: vendor) }
      #expect(error?.code == .invalidPlugin)
      #expect(error?.field?.hasSuffix("algorithms") == true)
    }
  }
}
