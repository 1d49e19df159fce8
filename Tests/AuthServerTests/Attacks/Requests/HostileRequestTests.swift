import AuthCore
import AuthTesting
import FakeVendors
import Foundation
import Testing

@testable import IdentityToolkitService

/// Requests that a real client would not make.
@Suite struct `Hostile requests` {
  static let numbers: [JSONValue] = [
    .integer(.max), .integer(.min), .integer(-1), .integer(1 << 53), .number(1e300),
    .number(-1e300), .string("9223372036854775807"), .string("-9223372036854775808"),
    .string("99999999999999999999999999"), .string("NaN"), .string("0x10"), .string("١٢"),
  ]

  @Test func `no number makes the server fail`() async throws {
    try await withServer(.production, configure: Self.lifting) { home in
      let ada = try await home.openAccount()
      let project = "/v1/projects/\(ServerHome.project)"
      let config = "/v2/projects/\(ServerHome.project)/config"
      for number in Self.numbers {
        let calls: [(String, String, JSONValue?)] = [
          (
            "POST", "\(project):createSessionCookie",
            ["idToken": .string(ada.idToken), "validDuration": number]
          ),
          (
            "POST", "\(home.accountsPath):update",
            [
              "localId": .string(ada.uid), "createdAt": number, "lastLoginAt": number,
              "validSince": number,
            ]
          ),
          ("POST", "\(home.accountsPath):query", ["limit": number, "offset": 0]),
          ("POST", "\(home.accountsPath):query", ["limit": 1, "offset": number]),
          ("POST", "\(home.accountsPath):query", ["sortBy": number, "order": number]),
          (
            "POST", "\(home.adminRoot)/adminTokens",
            ["name": "n", "scopes": ["audit"], "expiresInSeconds": number]
          ),
          (
            "POST", "\(home.accountsPath):batchCreate",
            [
              "hashAlgorithm": "SCRYPT", "signerKey": "a2V5", "rounds": number,
              "memoryCost": number,
              "users": [
                [
                  "localId": "u", "email": "u@example.com", "passwordHash": "aGFzaA==",
                  "salt": "c2FsdA==", "createdAt": number, "lastLoginAt": number,
                  "validSince": number,
                ]
              ],
            ]
          ),
          (
            "POST", "\(home.accountsPath):batchCreate",
            [
              "hashAlgorithm": "STANDARD_SCRYPT", "cpuMemCost": number, "parallelization": number,
              "blockSize": number, "dkLen": number,
              "users": [["localId": "v", "email": "v@example.com", "passwordHash": "aGFzaA=="]],
            ]
          ),
          (
            "PATCH", config,
            ["mfa": ["providerConfigs": [["totpProviderConfig": ["adjacentIntervals": number]]]]]
          ),
          (
            "PATCH", config,
            [
              "passwordPolicyConfig": [
                "passwordPolicyVersions": [["customStrengthOptions": ["minPasswordLength": number]]]
              ]
            ]
          ),
        ]
        for (method, path, body) in calls {
          let reply = try await home.admin(method, path, body)
          #expect(reply.status < 500, "\(path) \(number): \(reply.text)")
        }
        let text = URLText.escaped(number.stringValue ?? number.text)
        for path in [
          "\(home.accountsPath):batchGet?maxResults=\(text)",
          "\(home.adminRoot)/accounts?limit=\(text)", "\(home.adminRoot)/events?pageToken=\(text)",
          "/v2/projects/\(ServerHome.project)/tenants?pageSize=\(text)",
        ] {
          let reply = try await home.admin("GET", path)
          #expect(reply.status < 500, "\(path): \(reply.text)")
        }
        _ = try await home.enter("u@example.com", "opensesame")
        _ = try await home.enter("v@example.com", "opensesame")
      }
      #expect(try await home.call("GET", "/ready").status == 200)
    }
  }

  @Test func `no text makes the server fail`() async throws {
    let texts = [
      "a\u{0}b", "\u{202E}evil", "%00", "%", "%zz", "../../etc/passwd", "\u{FEFF}", "💥",
      String(repeating: "a", count: 200_000), String(repeating: "a@", count: 50_000), "'; --",
      "\r\nSet-Cookie: a=b", "<script>", "\u{FFFD}\u{FFFF}",
    ]
    try await withServer(.production, configure: Self.lifting) { home in
      for text in texts {
        let value = JSONValue.string(text)
        let bodies: [(String, JSONValue)] = [
          (ServerHome.signUp, ["email": value, "password": value, "displayName": value]),
          (ServerHome.signUp, ["email": "x@example.com", "password": value, "tenantId": value]),
          (ServerHome.signIn, ["email": value, "password": value]),
          ("/v1/accounts:lookup", ["idToken": value]),
          ("/v1/token", ["grantType": "refresh_token", "refreshToken": value]),
          ("/v1/accounts:sendOobCode", ["requestType": value, "email": value]),
          (
            "/v1/accounts:sendOobCode",
            ["requestType": "EMAIL_SIGNIN", "email": "a@example.com", "continueUrl": value]
          ),
          ("/v1/accounts:resetPassword", ["oobCode": value, "newPassword": value]),
          ("/v1/accounts:signInWithEmailLink", ["oobCode": value, "email": value]),
          ("/v1/accounts:signInWithPhoneNumber", ["sessionInfo": value, "code": value]),
          ("/v1/accounts:signInWithPhoneNumber", ["temporaryProof": value, "phoneNumber": value]),
          ("/v1/accounts:sendVerificationCode", ["phoneNumber": value]),
          ("/v1/accounts:signInWithIdp", ["requestUri": value, "postBody": value]),
          (
            "/v1/accounts:signInWithIdp",
            ["requestUri": "http://localhost", "pendingToken": value, "postBody": value]
          ),
          ("/v1/accounts:signInWithCustomToken", ["token": value]),
          (
            "/v1/accounts:createAuthUri",
            ["identifier": value, "continueUri": value, "providerId": value]
          ),
          (
            "/v2/accounts/mfaSignIn:finalize",
            ["mfaPendingCredential": value, "phoneVerificationInfo": ["code": value]]
          ),
        ]
        for (path, body) in bodies {
          let reply = try await home.post(path, body)
          #expect(reply.status < 500, "\(path): \(reply.text.prefix(300))")
          #expect(reply.headers["set-cookie"] == nil)
        }
        guard text.utf8.count < 1000 else { continue }
        let escaped = URLText.escaped(text)
        for path in [
          "/__/auth/handler?apiKey=k&providerId=\(escaped)&redirectUrl=\(escaped)",
          "/__/auth/handler?state=\(escaped)&code=\(escaped)",
          "/__/auth/action?mode=\(escaped)&oobCode=\(escaped)&continueUrl=\(escaped)&lang=\(escaped)",
          "/v1/projects/\(escaped)/accounts:lookup?key=k", "/\(escaped)", "/v1/accounts:\(escaped)",
        ] {
          for method in ["GET", "POST"] {
            let reply = try await home.call(
              method, path, nil, headers: ["X-Firebase-Locale": "de", "Referer": "x"])
            #expect(reply.status < 500, "\(path): \(reply.text.prefix(300))")
            #expect(!reply.text.contains("<script>"))
            #expect(reply.headers["set-cookie"] == nil && reply.headers["location"] == nil)
          }
        }
      }
    }
  }

  @Test func `bodies that are deep, doubled, cut or none are refused`() async throws {
    try await withServer(.production, configure: Self.lifting) { home in
      let deep = String(repeating: "{\"a\":", count: 50_000)
      let bodies = [
        deep, String(repeating: "[", count: 200_000), "{\"email\":\"a\",\"email\":\"b\"}",
        "{\"email\":\"\\ud800\"}", "{\"email\":\"\\u0000\"}", "\u{FEFF}{}", "{\"a\":1e999999}",
        "[]",
        "nul", "\"", "{\"email\":\"a@example.com\",", "{}{}", "0",
      ]
      for body in bodies.map({ Array($0.utf8) }) + [[0xFF, 0xFE], [0x7B, 0x22, 0xC3, 0x28]] {
        let reply = try await home.send(
          "POST", "\(ServerHome.signIn)?key=k", body, headers: ["Content-Type": "application/json"])
        #expect(reply.status == 400, "\(reply.text.prefix(300))")
        _ = try await home.send(
          "POST", "\(ServerHome.signIn)?key=k", body,
          headers: ["Content-Type": "application/x-www-form-urlencoded"])
      }
      let large = [UInt8](repeating: 0x20, count: 11 * 1024 * 1024)
      let refused = try? await home.send("POST", "\(ServerHome.signIn)?key=k", large)
      #expect(refused?.status ?? 413 == 413)
      #expect(try await home.call("GET", "/health").status == 200)
    }
  }

  @Test func `attack 31: one account's attempts are counted on every path and in every spelling`()
    async throws
  {
    try await withServer(
      .production,
      configure: {
        $0.servers = 1
        $0.settings = { $0.rateLimits.attemptsPerAccountAndHour = 4 }
      }
    ) { home in
      // Her own sign-in does not count.
      _ = try await home.person()
      let path = "/v1/accounts:signInWithPassword?key=k"
      let older = "/identitytoolkit/v3/relyingparty/verifyPassword?key=other"
      let host = "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=k"
      let body: JSONValue = ["email": "ADA@example.com", "password": "wrong-one"]
      let form = Array("email=ada%40EXAMPLE.com&password=wrong-one".utf8)
      let isForm = ["Content-Type": "application/x-www-form-urlencoded"]
      var replies = [try await home.call("POST", path, body)]
      replies.append(try await home.call("POST", older, body))
      replies.append(try await home.call("POST", host, body))
      replies.append(try await home.send("POST", path, form, headers: isForm))
      #expect(replies.allSatisfy { $0.message == "INVALID_LOGIN_CREDENTIALS" })
      for reply in [
        try await home.call("POST", path, body), try await home.call("POST", older, body),
        try await home.send("POST", older, form, headers: isForm),
        try await home.call("POST", "/v1/accounts%3AsignInWithPassword?key=k", body),
      ] where reply.status != 404 {
        #expect(reply.message?.hasPrefix("TOO_MANY_ATTEMPTS_TRY_LATER") == true, "\(reply.text)")
      }
    }
  }

  @Test func `attack 31: guesses at keys and tokens are counted`() async throws {
    try await withServer(
      .production,
      configure: {
        $0.servers = 1
        $0.settings = { settings in
          settings.rateLimits.requestsPerAddressAndMinute = 5
          settings.apiKeys = ["good": ServerHome.project]
        }
      }
    ) { home in
      for number in 1...3 {
        let bearer = ["Authorization": "Bearer guess-\(number)"]
        #expect(
          try await home.call("GET", "\(home.accountsPath):batchGet", nil, headers: bearer).status
            == 401)
      }
      for number in 1...2 {
        let reply = try await home.call("POST", "\(ServerHome.signUp)?key=guess-\(number)", [:])
        #expect(reply.message?.hasPrefix("API key not valid") == true)
      }
      let last = try await home.call(
        "GET", "\(home.accountsPath):batchGet", nil, headers: ["Authorization": "Bearer guess"])
      #expect(last.message?.hasPrefix("TOO_MANY_ATTEMPTS_TRY_LATER") == true)
      // Admins are not limited.
      #expect(try await home.admin("GET", "\(home.accountsPath):batchGet").status == 200)
    }
  }

  @Test func `attack 3: a session ends with the way in that made it`() async throws {
    try await withFederation(.production) { home in
      let id = try await home.account(email: "ada@example.com", verified: true)
      let owner = try await home.session(email: "ada@example.com")
      expectTokens(try await home.signIn(.google, .bo, idToken: owner))
      let attacker = try SignedUp(try await home.signIn(.google, .bo))
      let unlinked = try await home.server.post(
        ServerHome.update, ["idToken": .string(owner), "deleteProvider": ["google.com"]])
      #expect(unlinked.status == 200, "\(unlinked.text)")

      let token = JSONValue.string(attacker.idToken)
      for (path, body): (String, [String: JSONValue]) in [
        ("/v1/accounts:lookup", [:]), (ServerHome.update, ["displayName": "Mallory"]),
        ("/v1/accounts:delete", [:]),
        (ServerHome.signUp, ["email": "mallory@example.com", "password": "opensesame"]),
        (
          "/v1/accounts:sendOobCode",
          ["requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "mallory@example.com"]
        ),
      ] {
        let reply = try await home.server.post(
          path, .object(body.merging(["idToken": token]) { $1 }))
        expectFailure(reply, "TOKEN_EXPIRED")
      }
      expectFailure(try await home.signIn(.apple, .bo, idToken: attacker.idToken), "TOKEN_EXPIRED")
      let renewed = try await home.server.post(
        "/v1/token",
        ["grantType": "refresh_token", "refreshToken": .string(attacker.refreshToken)])
      expectFailure(renewed, "TOKEN_EXPIRED")
      #expect(try await home.stored(id).identities.map(\.provider) == [.password])
      #expect(try await home.server.lookUp(owner)["localId"]?.stringValue == id.rawValue)
    }
  }

  @Test func `answers are kept by no cache, and their type is not guessed`() async throws {
    try await withServer(.production) { home in
      for reply in [
        try await home.post(ServerHome.signUp), try await home.post("/v1/nowhere"),
        try await home.call("GET", "/__/auth/handler"), try await home.call("GET", "/metrics"),
      ] {
        #expect(reply.headers["cache-control"] == "no-store")
        #expect(reply.headers["x-content-type-options"] == "nosniff")
      }
      let keys = try await home.call("GET", "/.well-known/jwks.json")
      #expect(keys.headers["cache-control"]?.contains("max-age") == true)
    }
  }

  private static func lifting(_ setup: inout ServerSetup) {
    setup.settings = { $0.rateLimits = .none }
  }
}
