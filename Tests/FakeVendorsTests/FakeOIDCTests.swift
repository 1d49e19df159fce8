import AuthCore
import FakeVendors
import Testing

@Suite struct FakeOIDCTests {
  static let redirect = "https://app.example/back"
  static let web = FakeClient.web

  static func url(
    _ vendor: FakeOIDC, changing: [String: String?] = [:]
  ) -> String {
    var fields: [String: String] = [
      "response_type": "code", "client_id": web.id, "redirect_uri": redirect, "state": "s1",
      "nonce": "n1", "scope": "openid email profile", "code_challenge": Proof.challenge,
      "code_challenge_method": "S256",
    ]
    for (name, value) in changing { fields[name] = value }
    return URLText.adding(
      fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, to: vendor.authorizationURL)
  }

  static func exchange(
    _ vendor: FakeOIDC, code: String?, changing: [String: String?] = [:],
    headers: [String: String] = [:]
  ) async throws -> Loopback.Answer {
    var fields: [String: String] = [
      "grant_type": "authorization_code", "code": code ?? "", "redirect_uri": redirect,
      "client_id": web.id, "client_secret": web.secret ?? "", "code_verifier": Proof.verifier,
    ]
    for (name, value) in changing { fields[name] = value }
    return try await Loopback.post(
      vendor.tokenURL, fields.map { ($0.key, $0.value) }, headers: headers)
  }

  @Test func `the discovery document names what is there`() async throws {
    var configuration = FakeOIDC.Configuration()
    configuration.path = "/realms/work"
    let vendor = try await FakeOIDC.start(configuration)

    let document = try await Loopback.get(vendor.discoveryURL).json

    #expect(document["issuer"] == .string(vendor.server.url + "/realms/work"))
    #expect(document["jwks_uri"] == .string(vendor.keysURL))
    #expect(document["authorization_endpoint"] == .string(vendor.authorizationURL))
    #expect(document["token_endpoint"] == .string(vendor.tokenURL))
    #expect(document["userinfo_endpoint"] == .string(vendor.userInfoURL))
    #expect(document["introspection_endpoint"] == .string(vendor.introspectionURL))
    #expect(document["revocation_endpoint"] == .string(vendor.revocationURL))
    #expect(document["authorization_response_iss_parameter_supported"] == true)
    #expect(try await Loopback.get(vendor.keysURL).json["keys"] != nil)
    vendor.misbehave { $0.discovery = ["issuer": "https://other.example", "jwks_uri": .null] }
    let lie = try await Loopback.get(vendor.discoveryURL).json
    #expect(lie["issuer"] == "https://other.example")
    #expect(lie["jwks_uri"] == nil)
  }

  @Test(arguments: SigningKey.algorithms)
  func `a code becomes tokens once, and they name the person`(
    _ algorithm: SigningAlgorithm
  ) async throws {
    var configuration = FakeOIDC.Configuration()
    configuration.algorithm = algorithm
    let vendor = try await FakeOIDC.start(configuration)

    let back = try await vendor.authorize(Self.url(vendor), as: .bo)
    let answer = try await Self.exchange(vendor, code: back.code)
    let access = try #require(answer.json["access_token"]?.stringValue)
    let token = try #require(answer.json["id_token"]?.stringValue)
    let profile = try await Loopback.get(vendor.userInfoURL, bearer: access)

    #expect(back.redirectURI == Self.redirect)
    #expect(back.state == "s1")
    #expect(back.parameters["iss"] == vendor.issuer)
    #expect(answer.status == 200)
    #expect(answer.header("cache-control") == "no-store")
    #expect(answer.json["refresh_token"]?.stringValue?.isEmpty == false)
    #expect(try PublicKeys(await Loopback.get(vendor.keysURL).json).verify(token))
    let said = try claims(of: token)
    #expect(said["sub"] == .string(FakePerson.bo.subject))
    #expect(said["nonce"] == "n1")
    #expect(said["at_hash"]?.stringValue?.count == 22)
    #expect(profile.json["sub"] == .string(FakePerson.bo.subject))
    #expect(profile.json["email"] == "bo@example.com")

    let again = try await Self.exchange(vendor, code: back.code)
    #expect(again.status == 400)
    #expect(again.json["error"] == "invalid_grant")
    // The first user of the code may have stolen it.
    #expect(try await Loopback.get(vendor.userInfoURL, bearer: access).status == 401)
  }

  @Test func `a browser is sent back by a redirect or a form`() async throws {
    let vendor = try await FakeOIDC.start()

    let redirect = try await Loopback.get(Self.url(vendor))
    let form = try await Loopback.get(Self.url(vendor, changing: ["response_mode": "form_post"]))

    #expect(redirect.status == 302)
    #expect(redirect.header("location")?.hasPrefix("https://app.example/back?code=") == true)
    #expect(form.status == 200)
    #expect(form.text.contains("method=\"post\" action=\"https://app.example/back\""))
    #expect(form.text.contains("name=\"state\" value=\"s1\""))
    #expect(vendor.server.requests(to: "/authorize").count == 2)
  }

  @Test(
    arguments: [
      (["code_challenge": nil], "invalid_request"),
      (["response_type": "token"], "unsupported_response_type"),
      (["code_challenge_method": "plain"], "invalid_request"),
      (["code_challenge_method": nil], "invalid_request"),
      (["response_mode": "fragment"], "invalid_request"),
    ] as [([String: String?], String)])
  func `a wrong request of an app gets an error, with its state`(
    _ change: [String: String?], _ error: String
  ) async throws {
    let vendor = try await FakeOIDC.start()

    let back = try await vendor.authorize(Self.url(vendor, changing: change))

    #expect(back.error == error)
    #expect(back.code == nil)
    #expect(back.state == "s1")
  }

  @Test func `no redirect leads to an address that is not the app's`() async throws {
    let vendor = try await FakeOIDC.start()
    vendor.register(FakeClient(id: "strict", secret: "s", redirectURIs: [Self.redirect]))

    for change in [
      ["client_id": "unknown"], ["client_id": "strict", "redirect_uri": Self.redirect + "/"],
    ] {
      let url = Self.url(vendor, changing: change)
      await #expect(throws: OAuthRefusal.self) { try await vendor.authorize(url) }
      #expect(try await Loopback.get(url).status == 400)
    }
    await #expect(throws: OAuthRefusal.self) {
      try await vendor.authorize("https://elsewhere.example/authorize?client_id=web")
    }
    #expect(
      try await vendor.authorize(Self.url(vendor, changing: ["client_id": "strict"])).code != nil)
  }

  @Test func `a person may say no`() async throws {
    let vendor = try await FakeOIDC.start()

    let back = try await vendor.authorize(Self.url(vendor), consenting: false)

    #expect(back.error == "access_denied")
    #expect(back.state == "s1")
    #expect(back.parameters["iss"] == vendor.issuer)
  }

  @Test(
    arguments: [
      ["code_verifier": String(repeating: "x", count: 43)], ["code_verifier": nil],
      ["redirect_uri": "https://app.example/other"], ["client_secret": "wrong"],
      ["client_secret": nil], ["client_id": "unknown"], ["code": "guessed"],
      ["grant_type": "password"], ["grant_type": nil],
      ["client_id": FakeClient.foreign.id, "client_secret": FakeClient.foreign.secret],
    ] as [[String: String?]])
  func `a client without every proof gets nothing`(_ change: [String: String?]) async throws {
    let vendor = try await FakeOIDC.start()
    let back = try await vendor.authorize(Self.url(vendor))

    let answer = try await Self.exchange(vendor, code: back.code, changing: change)

    #expect((400...401).contains(answer.status))
    #expect(answer.json["error"] != nil)
    #expect(answer.json["access_token"] == nil)
  }

  @Test func `a client proves itself in one way of those that are allowed`() async throws {
    var configuration = FakeOIDC.Configuration()
    configuration.clientAuthentication = [.basic]
    let vendor = try await FakeOIDC.start(configuration)
    let code = try await vendor.authorize(Self.url(vendor)).code
    let basic = Loopback.basic(Self.web.id, Self.web.secret ?? "")

    let posted = try await Self.exchange(vendor, code: code)
    let both = try await Self.exchange(vendor, code: code, headers: basic)
    let right = try await Self.exchange(
      vendor, code: code, changing: ["client_id": nil, "client_secret": nil], headers: basic)

    #expect(posted.status == 401)
    #expect(posted.json["error"] == "invalid_client")
    #expect(both.json["error"] == "invalid_request")
    #expect(right.status == 200)
  }

  @Test func `a public client has PKCE only`() async throws {
    let vendor = try await FakeOIDC.start()
    vendor.register(FakeClient(id: "mobile"))
    let code = try await vendor.authorize(
      Self.url(vendor, changing: ["client_id": "mobile"])
    ).code

    let answer = try await Self.exchange(
      vendor, code: code, changing: ["client_id": "mobile", "client_secret": nil])

    #expect(answer.status == 200)
  }
}
