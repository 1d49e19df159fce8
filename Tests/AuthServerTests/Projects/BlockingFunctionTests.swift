import AuthCore
import AuthTesting
import BuiltInProviders
import SessionTokens
import Testing
import TestSupport

@testable import IdentityToolkitService

/// A transport that answers like an app's function, and keeps the requests.
private actor FakeFunction: HTTPTransport {
  private(set) var events: [JSONValue] = []
  private(set) var privateHosts: [String] = []
  var answer: (status: Int, body: String) = (200, "{}")

  func say(_ body: String, status: Int = 200) { answer = (status, body) }

  func send(_ request: AuthCore.HTTPRequest) async throws -> AuthCore.HTTPResponse {
    privateHosts = request.privateHosts
    let body = try JSONValue(text: String(decoding: request.body, as: UTF8.self))
    if let token = body["data"]?["jwt"]?.stringValue { events.append(try claimsOf(token)) }
    return AuthCore.HTTPResponse(status: answer.status, body: Array(answer.body.utf8))
  }
}

@Suite struct `Functions that are asked before sign-ins` {
  private static let uri = "http://localhost:5001/demo/before"

  private func withFunction(
    _ body: @escaping @Sendable (ServerHome, FakeFunction) async throws -> Void
  ) async throws {
    let function = FakeFunction()
    let tokens = TokenService(style: .unsigned, store: MemoryStore(), secrets: EphemeralSealing())
    try await withServer(
      .emulator,
      configure: {
        $0.hooks = HTTPSignInHooks(
          transport: function, tokens: tokens, privateHosts: ["localhost"])
      }
    ) { home in
      let reply = try await home.admin(
        "PATCH", home.configPath,
        [
          "blockingFunctions": [
            "triggers": [
              "beforeCreate": ["functionUri": .string(Self.uri)],
              "beforeSignIn": ["functionUri": .string(Self.uri)],
            ]
          ]
        ])
      try #require(reply.status == 200, "\(reply.text)")
      try await body(home, function)
    }
  }

  @Test func `functions receive the account and its way of signing in`() async throws {
    try await withFunction { home, function in
      let ada = try await home.openAccount()
      let events = await function.events
      #expect(events.map { $0["event_type"] } == ["beforeCreate", "beforeSignIn"])
      for event in events {
        #expect(event["iss"] == .string("https://securetoken.google.com/\(ServerHome.project)"))
        #expect(event["aud"] == .string(Self.uri))
        #expect(event["sub"] == .string(ada.uid))
        #expect(event["sign_in_method"] == "password")
        #expect(event["user_record"]?["email"] == "ada@example.com")
        #expect(event["user_record"]?["uid"] == .string(ada.uid))
      }
      #expect(await function.privateHosts == ["localhost"])
    }
  }

  @Test func `a link by mail is the password's entry, and once`() async throws {
    try await withFunction { home, function in
      _ = try await home.openAccount()
      let code = try await home.code("EMAIL_SIGNIN", to: "ada@example.com")
      let reply = try await home.post(
        "/v1/accounts:signInWithEmailLink",
        ["email": "ada@example.com", "oobCode": .string(code)])
      #expect(reply.status == 200, "\(reply.text)")
      let event = try #require(await function.events.last)
      #expect(event["sign_in_method"] == "emailLink")
      let entries = event["user_record"]?["provider_data"]?.items ?? []
      #expect(entries.map { $0["provider_id"] } == ["password"])
    }
  }

  @Test func `the vendor's tokens are forwarded only if the project says so`() async throws {
    try await withFunction { home, function in
      let body = "providerId=google.com&access_token=AT&id_token=%7B%22sub%22%3A%22NUMBER%22%7D"
      func signIn(_ number: String) async throws -> JSONValue {
        let reply = try await home.post(
          "/v1/accounts:signInWithIdp",
          [
            "requestUri": "http://localhost",
            "postBody": .string(body.replacing("NUMBER", with: number)),
          ])
        #expect(reply.status == 200, "\(reply.text)")
        return try #require(await function.events.last)
      }
      let plain = try await signIn("1")
      #expect(plain["sign_in_method"] == "google.com")
      #expect(plain["oauth_id_token"] == nil)
      #expect(plain["oauth_access_token"] == nil)
      let path = "\(home.configPath)?updateMask=blockingFunctions.forwardInboundCredentials"
      let reply = try await home.admin(
        "PATCH", path,
        [
          "blockingFunctions": [
            "forwardInboundCredentials": ["idToken": true, "accessToken": true]
          ]
        ])
      #expect(reply.status == 200, "\(reply.text)")
      let told = try await signIn("2")
      #expect(told["oauth_id_token"] == "{\"sub\":\"2\"}")
      #expect(told["oauth_access_token"] == "AT")
    }
  }

  @Test func `functions receive the profile that the app gets, and a SAML assertion's statements`()
    async throws
  {
    try await withFunction { home, function in
      func signIn(_ fields: [(name: String, value: String)]) async throws -> Reply {
        let reply = try await home.post(
          "/v1/accounts:signInWithIdp",
          ["requestUri": "http://localhost", "postBody": .string(URLText.form(fields))])
        #expect(reply.status == 200, "\(reply.text)")
        return reply
      }
      let google = try await signIn([
        (name: "providerId", value: "google.com"),
        (name: "id_token", value: #"{"sub":"1","name":"Ada","given_name":"Ada"}"#),
      ])
      var event = try #require(await function.events.last)
      #expect(event["raw_user_info"]?.stringValue == (try google.text("rawUserInfo")))
      #expect(event["sign_in_attributes"] == nil)
      _ = try await signIn([
        (name: "providerId", value: "saml.corp"), (name: "id_token", value: #"{"sub":"2"}"#),
        (
          name: "SAMLResponse",
          value:
            #"{"assertion":{"subject":{"nameId":"ada@example.com"},"attributeStatements":{"team":"a"}}}"#
        ),
      ])
      event = try #require(await function.events.last)
      #expect(event["sign_in_attributes"] == ["team": "a"])
      let ada = try await home.openAccount("eve@example.com")
      event = try #require(await function.events.last)
      #expect(event["sub"] == .string(ada.uid))
      #expect(event["raw_user_info"] == nil)
      #expect(event["sign_in_attributes"] == nil)
    }
  }

  @Test func `anonymous sign-ins, custom tokens and admins ask no function`() async throws {
    try await withFunction { home, function in
      _ = try await home.openAnonymously()
      try await home.post(
        "/v1/accounts:signInWithCustomToken", ["token": "{\"uid\":\"custom\"}"])
      _ = try await home.admin("POST", home.accountsPath, ["email": "eve@example.com"])
      #expect(await function.events == [])
    }
  }

  /// A mask and a member of a function's answer, and the members of the record.
  typealias Masked = TableRow<(mask: String, member: String), [String: JSONValue]>

  @Test(arguments: [
    Masked("a text", ("displayName", #""displayName":"A""#), ["displayName": "A"]),
    Masked("a flag", ("emailVerified", #""emailVerified":true"#), ["emailVerified": true]),
    Masked(
      "a field in the mask alone, which is cleared, and one outside of it",
      ("emailVerified", #""displayName":"A""#), ["emailVerified": false, "displayName": .null]),
    Masked(
      "a picture by either of its names",
      ("photoURL", #""photoURL":"https://example.com/a.png""#),
      ["photoUrl": "https://example.com/a.png"]),
    Masked(
      "claims", ("customClaims", #""customClaims":{"a":1}"#), ["customAttributes": #"{"a":1}"#]),
  ])
  func `only fields of the mask count`(_ row: Masked) async throws {
    try await withFunction { home, function in
      await function.say(
        "{\"userRecord\":{\"updateMask\":\"\(row.input.mask)\",\(row.input.member)}}")
      let ada = try await home.openAccount()
      let record = try await home.ownRecord(ada.idToken)
      for (name, value) in row.expected { #expect((record[name] ?? .null) == value, "\(name)") }
    }
  }

  /// An answer of a function, and the answer to the client.
  typealias Refused = TableRow<(status: Int, body: String), (status: Int, message: String)>

  @Test(arguments: [
    Refused(
      "an error", (403, #"{"error":{"message":"no"}}"#), (400, "returned HTTP error 403")),
    Refused(
      "no mask", (200, #"{"userRecord":{"displayName":"A"}}"#), (400, "missing updateMask")),
    Refused("no JSON", (200, "no JSON"), (500, "BLOCKING_FUNCTION_ERROR_RESPONSE")),
    Refused(
      "a reserved claim",
      (200, #"{"userRecord":{"updateMask":"customClaims","customClaims":{"iss":"x"}}}"#),
      (400, "FORBIDDEN_CLAIM : iss")),
  ])
  func `a refused sign-up does not happen`(_ row: Refused) async throws {
    try await withFunction { home, function in
      await function.say(row.input.body, status: row.input.status)
      let reply = try await home.post(
        ServerHome.signUp, ["email": "ada@example.com", "password": "opensesame"])
      #expect(reply.status == row.expected.status)
      #expect(reply.message?.contains(row.expected.message) == true, "\(reply.text)")
      #expect(try await home.graph.accountCount(in: home.scope) == 0)
    }
  }
}
