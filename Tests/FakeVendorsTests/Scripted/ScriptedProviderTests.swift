import AuthCore
import FakeVendors
import Testing

@Suite struct ScriptedProviderTests {
  private static func tokens(
    _ provider: ScriptedIdentityProvider, _ query: [(name: String, value: String)] = []
  ) async throws -> Loopback.Answer {
    try await Loopback.get(provider.server.url("/tokens"), query)
  }

  private static func access(
    _ provider: ScriptedIdentityProvider, _ person: String = "1001"
  ) async throws -> String {
    let answer = try await tokens(provider, [("person", person)])
    return try #require(answer.json["access_token"]?.stringValue)
  }

  private static func turn(
    _ provider: ScriptedIdentityProvider, _ body: String
  ) async throws -> Loopback.Answer {
    try await Loopback.send("POST", provider.server.url("/hostile"), body: body)
  }

  @Test func `the discovery document names the endpoints, and each is there`() async throws {
    let provider = try await ScriptedIdentityProvider.start()
    let root = provider.server.url

    let document = try await Loopback.get(
      provider.server.url("/.well-known/openid-configuration")
    ).json

    #expect(document["issuer"] == .string(root))
    let paths = [
      "authorization_endpoint": "/authorize", "token_endpoint": "/token",
      "userinfo_endpoint": "/userinfo", "jwks_uri": "/keys",
      "introspection_endpoint": "/introspect", "revocation_endpoint": "/revoke",
    ]
    for (name, path) in paths {
      #expect(document[name] == .string(root + path))
      #expect(try await Loopback.get(root + path).status != 404, "\(path)")
    }
    let overview = try await Loopback.get(root + "/")
    #expect(overview.text.contains("providers.configure(\"oidc.idp\""))
    #expect(try await Loopback.get(root + "/nothing").status == 404)
    await provider.stop()
  }

  @Test(arguments: SigningKey.algorithms)
  func `tokens come without a browser, for a person, an app and a nonce`(
    _ algorithm: SigningAlgorithm
  ) async throws {
    var script = IdentityScript()
    script.algorithm = algorithm
    script.clients.append(FakeClient(id: "mobile"))
    let provider = try await ScriptedIdentityProvider.start(script)

    let answer = try await Self.tokens(
      provider, [("person", "bo@example.com"), ("client_id", "mobile"), ("nonce", "n9")])
    let token = try #require(answer.json["id_token"]?.stringValue)
    let access = try #require(answer.json["access_token"]?.stringValue)
    let profile = try await Loopback.get(provider.server.url("/userinfo"), bearer: access)

    let keys = PublicKeys(try await Loopback.get(provider.server.url("/keys")).json)
    #expect(try keys.verify(token))
    let said = try claims(of: token)
    #expect(said["sub"] == "1002")
    #expect(said["aud"] == "mobile")
    #expect(said["nonce"] == "n9")
    #expect(profile.json["email"] == "bo@example.com")
    await provider.stop()
  }

  @Test(arguments: [
    ("person", "1009", "1001"), ("client_id", "idp-clint", "idp-client"),
    ("persn", "1001", "person"),
  ])
  func `tokens for what is not known are refused with what is`(
    _ name: String, _ value: String, _ word: String
  ) async throws {
    let provider = try await ScriptedIdentityProvider.start()

    let answer = try await Self.tokens(provider, [(name, value)])

    #expect(answer.status == 400)
    #expect(answer.json["error_description"]?.stringValue?.contains(word) == true)
    await provider.stop()
  }

  @Test func `access tokens can be introspected and revoked by an app that proves itself`()
    async throws
  {
    let provider = try await ScriptedIdentityProvider.start()
    let access = try await Self.access(provider)
    let proof: [(name: String, value: String)] = [
      ("client_id", "idp-client"), ("client_secret", "idp-secret"), ("token", access),
    ]

    let before = try await Loopback.post(provider.server.url("/introspect"), proof)
    let unproven = try await Loopback.post(
      provider.server.url("/introspect"), [("token", access)])
    _ = try await Loopback.post(provider.server.url("/revoke"), proof)
    let after = try await Loopback.post(provider.server.url("/introspect"), proof)

    #expect(before.json["active"] == true)
    #expect(before.json["sub"] == "1001")
    #expect(unproven.status == 401)
    #expect(after.json == ["active": false])
    await provider.stop()
  }

  @Test func `a route answers a good token with what is known of its person`() async throws {
    let script = try IdentityScript(
      text: #"""
        {
          "people": [
            { "subject": "7", "email": "a@b.example", "emailVerified": true, "claims": { "tags": ["x"] } }
          ],
          "routes": {
            "GET /api/users/@me": { "status": 201, "headers": { "X-Left": "4" }, "json": {
              "id": "{subject}", "verified": "{emailVerified}", "name": "{name}", "tags": "{tags}",
              "text": "{{subject} is {subject}, {emailVerified} {name}", "n": 5 } },
            "POST /api/users/@me": { "status": 204 }
          }
        }
        """#)
    let provider = try await ScriptedIdentityProvider.start(script)
    let url = provider.server.url("/api/users/@me")
    let access = try await Self.access(provider, "7")

    let answer = try await Loopback.get(url, bearer: access)

    #expect(answer.status == 201)
    #expect(answer.header("X-Left") == "4")
    #expect(
      answer.json == [
        "id": "7", "verified": true, "name": .null, "tags": ["x"],
        "text": "{subject} is 7, true ", "n": 5,
      ])
    #expect(try await Loopback.get(url).status == 401)
    #expect(try await Loopback.get(url, bearer: "no-token").status == 401)
    let deleted = try await Loopback.send("DELETE", url)
    #expect(deleted.status == 405)
    #expect(deleted.header("Allow") == "GET, POST")
    await provider.stop()
  }

  @Test func `a provider turns hostile and honest again while it runs`() async throws {
    let provider = try await ScriptedIdentityProvider.start()

    let turned = try await Self.turn(
      provider, #"{"names": ["algorithm-none", "answers-500", "answers-429@/userinfo"]}"#)
    let token = try #require(
      try await Self.tokens(provider).json["id_token"]?.stringValue)
    let statuses = [
      try await Loopback.get(provider.server.url("/keys")).status,
      try await Loopback.get(provider.server.url("/userinfo")).status,
    ]
    let back = try await Self.turn(provider, #"{"names": []}"#)

    #expect(turned.json["names"] == ["algorithm-none", "answers-500", "answers-429@/userinfo"])
    #expect(CompactToken(token)?.headerMembers?["alg"] == "none")
    #expect(statuses == [500, 429])
    #expect(back.json == ["names": []])
    #expect(try await Loopback.get(provider.server.url("/keys")).status == 200)
    let state = try await Loopback.get(provider.server.url("/hostile"))
    #expect(state.json == ["names": []])
    await provider.stop()
  }

  @Test func `keys that a hostile token published go when it is honest again`() async throws {
    let provider = try await ScriptedIdentityProvider.start()
    let keys = provider.server.url("/keys")

    provider.turnHostile(try HostileSet(names: ["duplicate-key-id"]))
    _ = try await Self.tokens(provider)
    let doubled = try await Loopback.get(keys).json["keys"]
    provider.turnHostile(.honest)
    let single = try await Loopback.get(keys).json["keys"]

    guard case .array(let two) = doubled, case .array(let one) = single else {
      throw OAuthRefusal("no_keys", "There is no key set.")
    }
    #expect(two.count == 2)
    #expect(one.count == 1)
    await provider.stop()
  }

  @Test(arguments: [
    #"{"names": ["algoritm-none"]}"#, #"{"names": "expired"}"#, #"{"name": []}"#, "expired", "",
    #"{"names": [5]}"#,
  ])
  func `an order that is not understood changes nothing`(_ body: String) async throws {
    let provider = try await ScriptedIdentityProvider.start()
    provider.turnHostile(try HostileSet(names: ["expired"]))

    let answer = try await Self.turn(provider, body)

    #expect(answer.status == 400)
    #expect(provider.hostile.names == ["expired"])
    await provider.stop()
  }

  @Test func `the profile of another person is served at userinfo and at routes`() async throws {
    var script = IdentityScript()
    script.hostile = try HostileSet(names: ["profile-of-somebody-else"])
    script.routes = [ScriptedRoute("GET", "/me", json: ["id": "{subject}"])]
    let provider = try await ScriptedIdentityProvider.start(script)
    let access = try await Self.access(provider)

    let profile = try await Loopback.get(provider.server.url("/userinfo"), bearer: access)
    let route = try await Loopback.get(provider.server.url("/me"), bearer: access)

    #expect(profile.json["sub"] == "somebody-else")
    #expect(route.json == ["id": "somebody-else"])
    await provider.stop()
  }

  @Test func `a page that came by another name gets nothing`() async throws {
    let provider = try await ScriptedIdentityProvider.start()

    let bytes = try await RawClient.exchange(
      port: provider.server.port,
      "GET /tokens HTTP/1.1\r\nHost: rebound.example:80\r\nConnection: close\r\n\r\n")

    #expect(try Loopback.Answer(bytes).status == 421)
    await provider.stop()
  }

  @Test func `a port that is taken and one that is none are refused with the remedy`()
    async throws
  {
    let provider = try await ScriptedIdentityProvider.start()

    for port in [provider.server.port, -1, 65_536] {
      let error = try await #require(throws: AuthError.self) {
        _ = try await ScriptedIdentityProvider.start(port: port)
      }
      #expect(error.field == "port")
      #expect(error.remedy?.contains("0") == true)
    }
    let error = try await #require(throws: AuthError.self) {
      _ = try await ScriptedIdentityProvider.start(person: "1009")
    }
    #expect(error.field == "person")
    await provider.stop()
  }
}
