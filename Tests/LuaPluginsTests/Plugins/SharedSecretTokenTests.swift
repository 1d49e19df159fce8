import AuthCore
import LuaPlugins
import Testing
import TestSupport

/// Tokens that vendor and app sign with one secret.
@Suite struct `Tokens with a shared secret` {
  let home = PluginHome()
  private let secret = "a secret of the vendor and the app"

  private func plugin(
    _ body: String, declaring token: String = #"algorithms = { "HS256" }, secret = "key""#
  ) throws -> any LuaProvider {
    try home.provider(
      """
      local function sign(changes, header, key)
        local now = time.now() // 1000
        local claims = {
          iss = "https://vendor.example", aud = "the-client", sub = "7", iat = now, exp = now + 300,
        }
        for name, value in pairs(changes or {}) do claims[name] = value ~= "" and value or nil end
        local signed = base64.encodeURL(json.encode(header or { alg = "HS256", typ = "JWT" }))
          .. "." .. base64.encodeURL(json.encode(claims))
        local code = hash.hmac("sha256", key or "\(secret)", signed, "base64url")
        return signed .. "." .. code
      end
      return provider {
        id = "test.example", name = "Test",
        settings = { key = setting.secret "the secret", clientID = setting.text "the client" },
        credentials = { token = { token = field.secret "the token" } },
        tokens = {
          login = { issuer = "https://vendor.example", audience = "the-client", \(token) },
        },
        verify = function(credential, http, settings) \(body) end,
      }
      """)
  }

  private func verify(_ body: String, secret: String? = nil) async throws -> VerifiedIdentity {
    try await home.verify(
      plugin(body), "token", ["token": "t"], secrets: ["key": secret ?? self.secret])
  }

  @Test func `a token of the secret gives its claims, and signs in once`() async throws {
    let identity = try await verify(
      "return identity { subject = jwt.verify('login', sign { email = 'ada@example.com' }).sub }")

    #expect(identity.key?.subject == "7")
    #expect(identity.uses.count == 1)
  }

  private static let hostile: [TableRow<String, String>] = [
    TableRow("another secret", "sign({}, nil, 'another secret of some length')", "idToken"),
    TableRow("the empty secret", "sign({}, nil, '')", "idToken"),
    TableRow("no signature", "sign():match('^.*%.')", "idToken"),
    TableRow("half a signature", "sign():sub(1, -20)", "idToken"),
    TableRow(
      "changed claims", "(sign({ sub = '8' }):match('^.*%.') .. sign():match('[^.]*$'))", "idToken"),
    TableRow("none", "sign({}, { alg = 'none' })", "alg"),
    TableRow("no algorithm", "sign({}, { typ = 'JWT' })", "alg"),
    TableRow("another hash", "sign({}, { alg = 'HS512' })", "alg"),
    TableRow("a public key's algorithm", "sign({}, { alg = 'RS256' })", "alg"),
    TableRow("lower case", "sign({}, { alg = 'hs256' })", "alg"),
    TableRow("another type", "sign({}, { alg = 'HS256', typ = 'at+jwt' })", "typ"),
    TableRow("a key of its own", "sign({}, { alg = 'HS256', jwk = { kty = 'oct' } })", "jwk"),
    TableRow("another issuer", "sign { iss = 'https://evil.example' }", "iss"),
    TableRow("no issuer", "sign { iss = '' }", "iss"),
    TableRow("another audience", "sign { aud = 'another-client' }", "aud"),
    TableRow("no audience", "sign { aud = '' }", "aud"),
    TableRow("expired", "sign { exp = time.now() // 1000 - 61 }", "exp"),
    TableRow("no end", "sign { exp = '' }", "exp"),
    TableRow("no time", "sign { iat = '' }", "iat"),
    TableRow("from the future", "sign { iat = time.now() // 1000 + 120 }", "iat"),
    TableRow("not yet", "sign { nbf = time.now() // 1000 + 120 }", "nbf"),
    TableRow("no subject", "sign { sub = '' }", "sub"),
    TableRow("no token", "'x'", "idToken"),
  ]

  @Test(arguments: hostile)
  func `attack 16: a token that the declaration does not describe is refused`(
    _ row: TableRow<String, String>
  ) async {
    let error = await expectError(.invalidCredential) {
      try await verify(
        "return identity { subject = jwt.verify('login', \(row.input)).sub }")
    }

    #expect(error?.field == row.expected && error?.step == .token)
  }

  @Test func `attack: a secret that could be guessed verifies nothing`() async {
    let error = await expectError(.operationNotAllowed) {
      try await verify(
        "return identity { subject = jwt.verify('login', sign({}, nil, 'short')).sub }",
        secret: "short")
    }

    #expect(error?.field == "secret")
  }

  @Test func `a nonce has to match`() async throws {
    let body = """
      local nonce = credential.token and "n-1"
      return identity { subject = jwt.verify("login", sign { nonce = "n-1" }, { nonce = nonce }).sub }
      """
    #expect(try await verify(body).key?.subject == "7")
    let error = await expectError(.missingOrInvalidNonce) {
      try await verify(body.replacing("\"n-1\" }, {", with: "\"n-2\" }, {"))
    }
    #expect(error?.field == "nonce")
  }

  @Test(arguments: [
    #"secret = "key""#, #"algorithms = { "RS256" }, secret = "key""#,
    #"algorithms = { "HS256", "HS512" }, secret = "key""#,
    #"algorithms = { "HS256" }, secret = "clientID""#,
    #"algorithms = { "HS256" }, secret = "kee""#, #"algorithms = { "HS256" }, secret = true"#,
    #"algorithms = { "HS256" }, secret = "key", keys = "https://vendor.example/keys""#,
    #"algorithms = { "HS256" }"#,
  ])
  func `attack 16: a declaration with an open algorithm or an open secret is refused`(
    _ token: String
  ) {
    let error = #expect(throws: AuthError.self) {
      try plugin("return nil", declaring: token)
    }

    #expect(error?.code == .invalidPlugin && error?.field?.hasPrefix("tokens.login.") == true)
  }
}
