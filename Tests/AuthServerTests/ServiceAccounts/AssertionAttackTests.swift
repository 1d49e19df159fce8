import AuthCore
import AuthTesting
import Crypto
import Foundation
import SessionTokens
import Testing
import TestSupport

@testable import IdentityToolkitService

/// Assertions that another one than the account made, or that ask for more than the account has.
@Suite struct `Attacks on the token endpoint` {
  private static func expectRefusal(
    _ reply: AccountServers.Reply, _ what: String, code: String = "invalid_grant",
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(
      reply.status == 400 && reply.json["error"]?.stringValue == code,
      "\(what): \(reply.json.text)",
      sourceLocation: location)
    #expect(reply.json["access_token"] == nil, sourceLocation: location)
    #expect(reply.json["error_description"]?.stringValue?.isEmpty == false)
  }

  private static func base64(_ bytes: some Collection<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  /// Returns a token with a header of one's own, and a signature over it.
  private static func token(
    _ header: JSONValue, _ claims: JSONValue, _ sign: (String) throws -> [UInt8]
  ) rethrows -> String {
    let part = "\(base64(Array(header.text.utf8))).\(base64(Array(claims.text.utf8)))"
    return "\(part).\(base64(try sign(part)))"
  }

  @Test func `no signature, and a signature by the public key as a shared secret`() async throws {
    let servers = AccountServers()
    let key = try await servers.account()
    let keyID = key.file["private_key_id"] ?? .null
    for algorithm: JSONValue in ["none", "None", "NONE", ""] {
      let unsigned = Self.token(["alg": algorithm, "kid": keyID], key.claims()) { _ in [] }
      Self.expectRefusal(try await servers.exchange(unsigned), "\(algorithm)")
    }
    for secret in [key.key.publicKeyPEM, key.key.jwk.text] {
      for algorithm: JSONValue in ["HS256", "RS256"] {
        let forged = Self.token(["alg": algorithm, "kid": keyID], key.claims()) { part in
          Array(
            HMAC<SHA256>.authenticationCode(
              for: Data(part.utf8), using: SymmetricKey(data: Data(secret.utf8))))
        }
        Self.expectRefusal(try await servers.exchange(forged), "\(algorithm)")
      }
    }
  }

  @Test func `another key, by its own ID, by the account's, or in the header`() async throws {
    let servers = AccountServers()
    let key = try await servers.account()
    let keyID = key.file["private_key_id"] ?? .null
    let foreign = try SigningKey.rsa(keyID: "evil")
    Self.expectRefusal(try await servers.exchange(try foreign.sign(key.claims())), "its own ID")
    Self.expectRefusal(
      try await servers.exchange(
        try foreign.sign(key.claims(), keyID: keyID.stringValue ?? "")), "the account's ID")
    Self.expectRefusal(
      try await servers.exchange(try key.assertion(keyID: "another")), "a wrong ID")
    for (member, value): (String, JSONValue) in [
      ("jwk", foreign.jwk), ("jku", "https://evil.example/keys"), ("crit", ["exp"]),
    ] {
      let header: JSONValue = .object([
        "alg": "RS256", "typ": "JWT", "kid": keyID, member: value,
      ])
      let signer = member == "crit" ? key.key : foreign
      let forged = try Self.token(header, key.claims()) { part in
        try signer.signature(of: Array(part.utf8)[...])
      }
      Self.expectRefusal(try await servers.exchange(forged), member)
    }
    let changed = try key.assertion().split(separator: ".")
    let claims = Self.base64(Array(key.claims(["scope": "server"]).text.utf8))
    Self.expectRefusal(
      try await servers.exchange("\(changed[0]).\(claims).\(changed[2])"), "changed claims")
  }

  @Test func `another account's name, and an account of another project`() async throws {
    let servers = AccountServers()
    let key = try await servers.account("weak", [.readAccounts])
    let strong = try await servers.account("strong", [.all])
    let foreign = try await servers.account("strong", [.all], in: AccountServers.other)
    for email in [strong.email, foreign.email, "nobody@example.com", .null] {
      Self.expectRefusal(
        try await servers.exchange(try key.assertion(["iss": email])), "\(email.text)")
    }
    Self.expectRefusal(
      try await servers.exchange(try key.assertion(["sub": strong.email])), "another subject")
    let token = try await servers.accessToken(foreign)
    #expect(try await servers.list(token, in: AccountServers.other) == 200)
    #expect(try await servers.list(token) == 403)
    let named = try await servers.call(
      "POST", "/v1/accounts:lookup", ["targetProjectId": "demo-shop", "localId": ["ada"]],
      bearer: token)
    #expect(named.status == 403)
  }

  @Test func `expired, of the future, long-lived, timeless, or for another server`() async throws {
    let servers = AccountServers()
    let key = try await servers.account()
    let now = key.seconds
    let cases: [(String, [String: JSONValue])] = [
      ("expired", ["iat": .integer(now - 3600), "exp": .integer(now)]),
      ("of the future", ["iat": .integer(now + 120), "exp": .integer(now + 600)]),
      ("long-lived", ["exp": .integer(now + 3601)]),
      ("ever-lasting", ["iat": .integer(0)]),
      ("without an end", ["exp": .null]), ("without a beginning", ["iat": .null]),
      ("backwards", ["iat": .integer(now), "exp": .integer(now - 1)]),
      ("a text as its end", ["exp": "tomorrow"]),
      ("another server's", ["aud": "https://other.example.com/token"]),
      ("a beginning of the address", ["aud": "https://auth.example.com"]),
      ("another path", ["aud": "https://auth.example.com/token/"]),
      ("for nobody", ["aud": .null]),
      ("for several", ["aud": ["https://auth.example.com/token", "https://other.example.com"]]),
      ("a custom token", ["aud": "https://identitytoolkit.googleapis.com/"]),
      ("for an ID token", ["target_audience": "https://app.example.com"]),
    ]
    for (what, changes) in cases {
      Self.expectRefusal(try await servers.exchange(try key.assertion(changes)), what)
    }
    // A clock that is a little ahead is no attack.
    let ahead = ["iat": JSONValue.integer(now + 30), "exp": .integer(now + 600)]
    #expect(try await servers.exchange(try key.assertion(ahead)).status == 200)
  }

  @Test func `huge, empty or malformed, or another grant`() async throws {
    let servers = AccountServers()
    let key = try await servers.account()
    let huge = try key.assertion(["padding": .string(String(repeating: "x", count: 20_000))])
    for (what, text) in [
      ("huge", huge), ("no token", "x"), ("two parts", "a.b"), ("no base64", "a.b.~"),
      ("a token of ours", "agadm_x"),
    ] {
      Self.expectRefusal(try await servers.exchange(text), what)
    }
    let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    let assertion = try key.assertion()
    Self.expectRefusal(try await servers.ask([:]), "nothing", code: "invalid_request")
    Self.expectRefusal(
      try await servers.ask(["grant_type": grant]), "no assertion", code: "invalid_request")
    for type in ["refresh_token", "client_credentials", "password", "jwt-bearer"] {
      Self.expectRefusal(
        try await servers.ask(["grant_type": type, "assertion": assertion]),
        type, code: "unsupported_grant_type")
    }
    Self.expectRefusal(
      try await servers.ask([
        "grant_type": grant, "assertion": assertion, "target_audience": "https://app.example.com",
      ]), "an ID token", code: "invalid_request")
  }

  @Test func `more scopes than the account has`() async throws {
    let servers = AccountServers()
    let key = try await servers.account("reader", [.readAccounts])
    for scope in ["accounts:write", "server", "all", "accounts:read server", "root"] {
      Self.expectRefusal(
        try await servers.exchange(try key.assertion(["scope": .string(scope)])), scope,
        code: "invalid_scope")
    }
    for scope: JSONValue in ["", .null, "https://www.googleapis.com/auth/datastore"] {
      Self.expectRefusal(
        try await servers.exchange(try key.assertion(["scope": scope])), scope.text,
        code: "invalid_scope")
    }
    let all = try await servers.account("everything", [.all])
    Self.expectRefusal(
      try await servers.exchange(try all.assertion(["scope": "server"])), "server",
      code: "invalid_scope")
    // A token of fewer scopes has no more than those.
    let token = try await servers.accessToken(all, scope: "accounts:read")
    #expect(try await servers.list(token) == 200)
    let made = try await servers.call(
      "POST", "/admin/v1/projects/demo-shop/adminTokens", ["name": "x", "scopes": ["all"]],
      bearer: token)
    #expect(made.status == 403)
  }

  @Test func `a copied assertion opens nothing for longer than it says`() async throws {
    let servers = AccountServers()
    let key = try await servers.account()
    let assertion = try key.assertion()
    servers.clock.advance(seconds: 3000)
    let copy = try await servers.exchange(assertion)
    #expect(copy.json["expires_in"] == 600)
    let token = try #require(copy.json["access_token"]?.stringValue)
    servers.clock.advance(seconds: 599)
    #expect(try await servers.list(token) == 200)
    servers.clock.advance(seconds: 1)
    #expect(try await servers.list(token) == 401)
    Self.expectRefusal(try await servers.exchange(assertion), "over")
  }

  @Test func `guesses are counted for their address`() async throws {
    let servers = AccountServers { $0.settings.rateLimits.requestsPerAddressAndMinute = 5 }
    var replies: [AccountServers.Reply] = []
    for _ in 0..<6 {
      replies.append(
        try await servers.ask([
          "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": "x",
        ]))
    }
    #expect(replies.prefix(5).allSatisfy { $0.json["error"] == "invalid_grant" })
    let message = replies.last?.json["error"]?["message"]?.stringValue
    #expect(message?.hasPrefix("TOO_MANY_ATTEMPTS_TRY_LATER") == true)
  }
}
