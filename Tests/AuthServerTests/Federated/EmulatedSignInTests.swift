import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

/// A request that the emulator refuses, and its error.
struct RefusedRequest: Sendable, CustomTestStringConvertible {
  let body: [String: JSONValue]
  let status: Int
  /// The message, or its beginning if it ends with dots.
  let message: String

  init(_ body: [String: JSONValue], _ message: String, status: Int = 400) {
    self.body = body
    self.status = status
    self.message = message
  }

  init(postBody: String, _ message: String, status: Int = 400) {
    self.init(
      ["requestUri": "http://localhost", "postBody": .string(postBody)], message, status: status)
  }

  var testDescription: String { message }

  func check(_ reply: Reply) {
    #expect(reply.status == status)
    if message.hasSuffix("…") {
      #expect(reply.message?.hasPrefix(message.dropLast()) == true, "\(reply.text)")
    } else {
      #expect(reply.message == message)
    }
  }
}

@Suite(.serialized) struct `Made-up sign-ins of the emulator` {
  static let google = Federation.google
  static let refusals = [
    RefusedRequest(["postBody": "providerId=google.com&id_token={}"], "MISSING_REQUEST_URI"),
    RefusedRequest(
      ["requestUri": "notAnAbsoluteUri", "postBody": "providerId=google.com"],
      "INVALID_REQUEST_URI"),
    RefusedRequest(
      postBody: "id_token=x",
      "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: "
        + "http://localhost/?id_token=x"),
    RefusedRequest(
      postBody: "providerId=google.com&id_token={nope",
      "INVALID_IDP_RESPONSE : Unable to parse id_token: {nope…"),
    RefusedRequest(
      postBody: "providerId=google.com&id_token=nope",
      "INVALID_IDP_RESPONSE : Unable to parse id_token: nope…"),
    RefusedRequest(
      postBody: URLText.form([("providerId", "google.com"), ("id_token", #"{"email":"a@b.c"}"#)]),
      "INVALID_IDP_RESPONSE : Invalid Idp Response: id_token missing required fields.…"),
    RefusedRequest(
      postBody: URLText.form([("providerId", "google.com"), ("id_token", #"{"sub":""}"#)]),
      "INVALID_IDP_RESPONSE : Invalid Idp Response: id_token missing required fields.…"),
    RefusedRequest(
      postBody: URLText.form([("providerId", "google.com"), ("id_token", #"{"sub":12}"#)]),
      "INVALID_IDP_RESPONSE : …"),
    RefusedRequest(
      postBody: "providerId=google.com&access_token=opaque", "The Auth Emulator …", status: 501),
    RefusedRequest(
      postBody: "providerId=facebook.com&access_token=opaque", "The Auth Emulator …", status: 501),
    RefusedRequest(postBody: "providerId=google.com", "The Auth Emulator …", status: 501),
    RefusedRequest(
      postBody: URLText.form([
        ("providerId", "saml.work"), ("id_token", #"{"sub":"1"}"#), ("SAMLResponse", "{}"),
      ]), "INVALID_IDP_RESPONSE ((…"),
    RefusedRequest(
      postBody: URLText.form([
        ("providerId", "saml.work"), ("id_token", #"{"sub":"1"}"#),
        ("SAMLResponse", #"{"assertion":{}}"#),
      ]), "INVALID_IDP_RESPONSE ((…"),
    RefusedRequest(
      postBody: URLText.form([
        ("providerId", "saml.work"), ("id_token", #"{"sub":"1"}"#),
        ("SAMLResponse", #"{"assertion":{"subject":{}}}"#),
      ]), "INVALID_IDP_RESPONSE ((…"),
    RefusedRequest(
      [
        "requestUri": "http://localhost", "postBody": "providerId=google.com&id_token=x",
        "returnRefreshToken": true,
      ], "returnRefreshToken is not implemented in the Auth Emulator.", status: 501),
    RefusedRequest(
      [
        "requestUri": "http://localhost", "postBody": "providerId=google.com&id_token=x",
        "pendingIdToken": "x",
      ], "pendingIdToken is not implemented in the Auth Emulator.", status: 501),
    RefusedRequest(
      postBody: URLText.form([("providerId", "password"), ("id_token", #"{"sub":"1"}"#)]),
      "INVALID_CREDENTIAL_OR_PROVIDER_ID : …"),
  ]

  @Test(arguments: refusals)
  func `an unreadable request is refused in the emulator's words`(
    _ request: RefusedRequest
  ) async throws {
    try await withServer(.emulator) { home in
      request.check(try await home.post("/v1/accounts:signInWithIdp", .object(request.body)))
      #expect(try await home.graph.accountCount(in: home.scope) == 0)
    }
  }

  @Test func `the members of Google's answer are those of the reference`() async throws {
    try await withServer(.emulator) { home in
      let claims: JSONValue = [
        "sub": "123456789012345678901", "email": "ada@example.com", "email_verified": true,
        "name": "Ada Lovelace", "given_name": "Ada", "family_name": "Lovelace",
        "picture": "https://people.example/ada.png", "iss": "nobody", "aud": "nobody", "exp": 1,
      ]
      let token = Self.jwt(claims)
      let reply = try await Self.signIn(home, "google.com", token)

      #expect(reply.status == 200)
      guard case .object(var members) = reply.json else { return }
      for name in ["idToken", "refreshToken", "localId"] {
        #expect(members.removeValue(forKey: name)?.stringValue?.isEmpty == false)
      }
      let info = try JSONValue(text: members.removeValue(forKey: "rawUserInfo")?.stringValue ?? "")
      #expect(
        members == [
          "kind": "identitytoolkit#VerifyAssertionResponse", "context": "",
          "providerId": "google.com", "isNewUser": true, "expiresIn": "3600",
          "federatedId": "https://accounts.google.com/123456789012345678901",
          "email": "ada@example.com", "emailVerified": true, "displayName": "Ada Lovelace",
          "fullName": "Ada Lovelace", "firstName": "Ada", "lastName": "Lovelace",
          "photoUrl": "https://people.example/ada.png", "oauthIdToken": .string(token),
          "oauthAccessToken": "FirebaseAuthEmulatorFakeAccessToken_google.com",
        ])
      #expect(
        info == [
          "granted_scopes": .string(
            "openid https://www.googleapis.com/auth/userinfo.profile "
              + "https://www.googleapis.com/auth/userinfo.email"),
          "id": "123456789012345678901", "name": "Ada Lovelace", "given_name": "Ada",
          "family_name": "Lovelace", "verified_email": true, "locale": "en",
          "email": "ada@example.com", "picture": "https://people.example/ada.png",
        ])
    }
  }

  @Test(arguments: [
    "apple.com", "facebook.com", "twitter.com", "github.com", "microsoft.com", "oidc.work",
    "made.up.example",
  ])
  func `any provider is believed`(_ provider: String) async throws {
    try await withServer(.emulator) { home in
      let claims: JSONValue = ["sub": "abc", "name": "Ada", "screen_name": "ada", "extra": [1, 2]]
      let reply = try await Self.signIn(home, provider, claims.text)

      expectTokens(reply)
      #expect(reply.json["providerId"]?.stringValue == provider)
      #expect(reply.json["federatedId"] == "abc")
      #expect(reply.json["screenName"] == "ada")
      #expect(reply.json["emailVerified"] == false)
      #expect(try JSONValue(text: try reply.text("rawUserInfo")) == claims)
      let account = try await home.graph.account(
        AccountID(try reply.text("localId")), in: home.scope)
      #expect(account?.identities.map(\.key) == [IdentityKey(ProviderID(provider), subject: "abc")])
    }
  }

  @Test func `an access token may hold the claims, and is given back`() async throws {
    try await withServer(.emulator) { home in
      let claims: JSONValue = ["sub": "abc", "email": "ada@example.com"]
      let reply = try await home.post(
        "/v1/accounts:signInWithIdp",
        [
          "requestUri": "http://localhost",
          "postBody": .string(
            URLText.form([("providerId", "facebook.com"), ("access_token", claims.text)])),
        ])

      expectTokens(reply)
      #expect(reply.json["oauthAccessToken"]?.stringValue == claims.text)
      #expect(reply.json["oauthIdToken"] == nil)
    }
  }

  @Test func `parameters may stand in the query or the fragment of the request's address`()
    async throws
  {
    try await withServer(.emulator) { home in
      let token = URLText.escaped(#"{"sub":"abc"}"#)
      for address in [
        "http://localhost/?providerId=google.com&id_token=\(token)",
        "http://localhost/#providerId=google.com&id_token=\(token)",
        "http://localhost/?providerId=x&id_token=y#providerId=GOOGLE.com&id_token=\(token)",
      ] {
        let reply = try await home.post(
          "/v1/accounts:signInWithIdp", ["requestUri": .string(address)])

        expectTokens(reply)
        #expect(reply.json["providerId"] == "google.com")
      }
      #expect(try await home.graph.accountCount(in: home.scope) == 1)
    }
  }

  @Test func `a SAML assertion gives the address and the session's attributes`() async throws {
    try await withServer(.emulator) { home in
      let assertion: JSONValue = [
        "assertion": [
          "subject": ["nameId": "ada@example.com"],
          "attributeStatements": ["role": "engineer", "teams": ["a", "b"]],
        ]
      ]
      let reply = try await home.post(
        "/v1/accounts:signInWithIdp",
        [
          "requestUri": "http://localhost",
          "postBody": .string(
            URLText.form([
              ("providerId", "saml.work"), ("id_token", #"{"sub":"abc","email":"x@example.com"}"#),
              ("SAMLResponse", assertion.text),
            ])),
        ])

      expectTokens(reply)
      #expect(reply.json["federatedId"] == "abc")
      #expect(reply.json["email"] == "ada@example.com")
      #expect(reply.json["emailVerified"] == true)
      let attributes = try #require(assertion["assertion"]?["attributeStatements"])
      #expect(try JSONValue(text: try reply.text("rawUserInfo")) == attributes)
      let claims = try #require(UnsignedToken.payload(of: try reply.text("idToken")))
      #expect(claims["firebase"]?["sign_in_attributes"] == attributes)
      #expect(claims["firebase"]?["sign_in_provider"] == "saml.work")
    }
  }

  @Test func `an ID token names the provider and its subject`() async throws {
    try await withServer(.emulator) { home in
      let reply = try await Self.signIn(
        home, "google.com", #"{"sub":"abc","email":"ada@example.com","email_verified":true}"#)
      let claims = try #require(UnsignedToken.payload(of: try reply.text("idToken")))

      #expect(claims["user_id"] == reply.json["localId"])
      #expect(claims["email"] == "ada@example.com")
      #expect(claims["email_verified"] == true)
      #expect(claims["firebase"]?["sign_in_provider"] == "google.com")
      #expect(claims["firebase"]?["identities"]?["google.com"] == ["abc"])
      #expect(claims["firebase"]?["identities"]?["email"] == ["ada@example.com"])
    }
  }

  @Test func `further fields of clients change nothing`() async throws {
    try await withServer(.emulator) { home in
      let reply = try await home.post(
        "/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp",
        [
          "request_uri": "http://localhost",
          "post_body": "providerId=google.com&id_token={\"sub\":\"1\"}",
          "autoCreate": false, "pendingToken": "no", "sessionId": "no", "returnSecureToken": false,
          "whatever": 1,
        ])

      expectTokens(reply)
      #expect(reply.json["isNewUser"] == true)
      #expect(reply.json["pendingToken"] == nil)
    }
  }

  @Test func `Apple's older path does the same`() async throws {
    try await withServer(.emulator) { home in
      let reply = try await home.post(
        "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyAssertion",
        [
          "requestUri": "http://localhost",
          "postBody": "providerId=apple.com&id_token={\"sub\":\"1\"}",
        ])

      expectTokens(reply)
    }
  }

  @Test func `a tenant's people are its own`() async throws {
    try await withServer(.emulator) { home in
      let body: JSONValue = [
        "requestUri": "http://localhost", "tenantId": "tenant-1",
        "postBody": "providerId=google.com&id_token={\"sub\":\"1\"}",
      ]
      let reply = try await home.post("/v1/accounts:signInWithIdp", body)

      expectTokens(reply)
      #expect(reply.json["tenantId"] == "tenant-1")
      #expect(try await home.graph.accountCount(in: home.scope) == 0)
      let claims = try #require(UnsignedToken.payload(of: try reply.text("idToken")))
      #expect(claims["firebase"]?["tenant"] == "tenant-1")
    }
  }

  @Test(arguments: [
    ("POST", "/v2/accounts:revokeToken", "identitytoolkit.accounts.revokeToken"),
    ("POST", "/v1/accounts:signInWithGameCenter", "identitytoolkit.accounts.signInWithGameCenter"),
    ("POST", "/v1/accounts:issueSamlResponse", "identitytoolkit.accounts.issueSamlResponse"),
    ("POST", "/v1/accounts:verifyIosClient", "identitytoolkit.accounts.verifyIosClient"),
  ])
  func `a missing feature of the emulator says so`(
    _ method: String, _ path: String, _ name: String
  ) async throws {
    try await withServer(.emulator) { home in
      let reply = try await home.post(path)

      expectFailure(reply, "\(name) is not implemented in the Auth Emulator.", status: 501)
      #expect(reply.json["error"]?["status"] == "NOT_IMPLEMENTED")
    }
  }

  static func signIn(_ home: ServerHome, _ provider: String, _ token: String) async throws -> Reply
  {
    try await home.post(
      "/v1/accounts:signInWithIdp",
      [
        "requestUri": "http://localhost",
        "postBody": .string(URLText.form([("providerId", provider), ("id_token", token)])),
      ])
  }

  /// Returns a JWT with an invalid signature.
  static func jwt(_ claims: JSONValue) -> String {
    let parts = [#"{"alg":"RS256"}"#, claims.text, "no signature"]
    return parts.map { Base64.url.text($0.utf8) }.joined(separator: ".")
  }
}
