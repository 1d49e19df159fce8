import AuthCore
import Foundation
import Testing
import TestSupport

@testable import BuiltInProviders

@Suite struct OAuthClientTests {
  let transport = CountingTransport(always: .status(500))

  private func client(
    _ authentication: BuiltInProviders.ClientAuthentication = .none
  ) -> OAuthClient {
    OAuthClient(
      transport: transport,
      endpoints: OAuthEndpoints(
        authorize: "https://id.example/authorize?tenant=1", token: "https://id.example/token",
        userInfo: "https://id.example/me", introspection: "https://id.example/introspect",
        revocation: "https://id.example/revoke", privateHosts: ["id.example"]),
      clientID: "client:1", authentication: authentication)
  }

  private func refusal(
    _ code: AuthError.Code, _ step: FlowStep, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
  ) async -> AuthError? {
    let error = await expectError(code, sourceLocation: sourceLocation, of: body)
    if let error { #expect(error.step == step, sourceLocation: sourceLocation) }
    return error
  }

  @Test func `a challenge is the one of RFC 7636, appendix B`() {
    #expect(
      CodeChallenge.s256("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test func `the authorize address has the parameters of the flow, and an app cannot change them`()
    throws
  {
    let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    let grant = AuthorizationGrant(
      state: "s t", nonce: "n&n", codeVerifier: Secret(verifier),
      redirectURI: "https://app.example/cb?x=1", scopes: ["email", "calendar"],
      parameters: [
        "login_hint": "ada@example.com", "redirect_uri": "https://attacker.example",
        "state": "x", "request_uri": "https://attacker.example", "request": "e30",
        "code_challenge_method": "plain", "scope": "admin", "prompt": "none", "nonce": "x",
      ])

    let url = client().authorizationURL(
      grant, scopes: ["openid", "email"], parameters: [("prompt", "consent")])

    let items = try #require(URLComponents(string: url)?.queryItems).map {
      "\($0.name)=\($0.value ?? "")"
    }
    #expect(
      items == [
        "tenant=1", "response_type=code", "client_id=client:1",
        "redirect_uri=https://app.example/cb?x=1", "scope=openid email calendar", "state=s t",
        "nonce=n&n", "code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        "code_challenge_method=S256", "prompt=consent", "login_hint=ada@example.com",
      ])
    #expect(url.hasPrefix("https://id.example/authorize?tenant=1&"))
    #expect(!url.contains(verifier))
  }

  @Test func `a code is exchanged, and the client shows itself in the three ways`() async throws {
    transport.answer { _, _ in
      .ok(
        #"{"access_token":"at","id_token":"it","refresh_token":"rt","expires_in":"3600","token_type":"bearer","scope":"openid"}"#
      )
    }
    let ways: [BuiltInProviders.ClientAuthentication] = [
      .none, .body(Secret("s&cret")), .basic(Secret("s:c ret")),
    ]
    for way in ways {
      let tokens = try await client(way).exchange(
        code: "c+de", redirectURI: "https://app.example/cb", codeVerifier: "v")
      #expect(tokens.accessToken?.reveal() == "at")
      #expect(tokens.idToken?.reveal() == "it")
      #expect(tokens.refreshToken?.reveal() == "rt")
      #expect(tokens.expiresIn == 3600)
      #expect(tokens.scope == "openid")
    }
    let start =
      "grant_type=authorization_code&code=c%2Bde&redirect_uri=https%3A%2F%2Fapp.example%2Fcb"
      + "&code_verifier=v"
    let bodies = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(
      bodies == [
        start + "&client_id=client%3A1", start + "&client_id=client%3A1&client_secret=s%26cret",
        start,
      ])
    let header = transport.requests[2].headers.first { $0.name == "Authorization" }?.value
    #expect(header == "Basic " + Data("client%3A1:s%3Ac%20ret".utf8).base64EncodedString())
    #expect(transport.requests.allSatisfy { $0.privateHosts == ["id.example"] })
    #expect(transport.requests.allSatisfy { !$0.isRepeatable })
  }

  @Test func `an OAuth error is a refusal with its code, also with status 200`() async throws {
    let answers: [(Int, String, String)] = [
      (
        400, #"{"error":"invalid_grant","error_description":"Bad code the-code given."}"#,
        "invalid_grant: Bad code ... given"
      ),
      (
        200, #"{"error":"bad_verification_code","error_description":"x"}"#,
        "bad_verification_code: x"
      ),
      (401, #"{"error":"invalid_client"}"#, "invalid_client"),
      (
        400, #"{"error":{"message":"Used.","type":"OAuthException","code":100}}"#,
        "OAuthException 100: Used"
      ),
      (400, #"{"error":true}"#, "error"),
    ]
    for (status, body, expected) in answers {
      transport.answer { _, _ in .status(status, body) }
      let error = await refusal(.invalidCredential, .exchange) {
        _ = try await client(.body(Secret("secret-1"))).exchange(
          code: "the-code", redirectURI: "https://app.example/cb", codeVerifier: nil)
      }
      #expect(error?.message.hasSuffix(expected + ".") == true, "\(error?.message ?? "")")
    }
  }

  @Test func `no secret, code or token comes back in a message`() async {
    let long = String(repeating: "A1b2", count: 60)
    for echo in [
      "code-1234", "secret-5678", "\(long)", "x\u{0}\u{1b}[31m code-1234", "codé code-1234",
    ] {
      let body = JSONValue.object(["error": .string(echo), "error_description": .string(echo)])
      transport.answer { _, _ in .status(400, body.text) }
      let error = await refusal(.invalidCredential, .exchange) {
        _ = try await client(.basic(Secret("secret-5678"))).exchange(
          code: "code-1234", redirectURI: "https://app.example/cb", codeVerifier: "verifier-9")
      }
      let text = error.map { $0.description + String(reflecting: $0) } ?? ""
      for hidden in ["code-1234", "secret-5678", "A1b2A1b2", "\u{1b}", "\u{0}"] {
        #expect(!text.contains(hidden))
      }
    }
  }

  @Test func `a network failure is reported as one`() async {
    struct Broken: Error {}
    let bad: [HTTPResponse] = [
      .status(500, #"{"error":"invalid_grant"}"#), .status(429), .status(404),
      .status(403, "<html>"),
      .status(400, "{"), .ok(""), .ok("[]"), .ok("{}"), .ok(#"{"access_token":"#),
      .ok(#"{"access_token":"","id_token":1}"#), .ok(#"{"access_token":"a","token_type":"mac"}"#),
      .ok(#"{"access_token":"a","access_token":"b"}"#), .status(400, #"{"error":"server_error"}"#),
      .ok(String(repeating: " ", count: 256 << 10) + "{}"),
      HTTPResponse(status: 307, headers: ["location": "https://attacker.example/"]),
    ]
    for response in bad {
      transport.answer { _, _ in response }
      _ = await refusal(.networkRequestFailed, .exchange) {
        _ = try await client().refresh(Secret("refresh"))
      }
    }
    transport.answer { _, _ in throw Broken() }
    _ = await refusal(.networkRequestFailed, .exchange) {
      _ = try await client().refresh(Secret("refresh"))
    }
    transport.answer { _, _ in throw AuthError(.networkRequestFailed, "id.example timed out.") }
    _ = await refusal(.networkRequestFailed, .profile) {
      _ = try await client().userInfo(accessToken: Secret("t"), expectedSubject: nil)
    }
    #expect(transport.requests.allSatisfy { URLText.host(of: $0.url) == "id.example" })
  }

  @Test func `attack 19: the profile of another subject is refused`() async throws {
    transport.answer { _, _ in .ok(#"{"sub":"ada","name":"Ada"}"#) }
    let profile = try await client().userInfo(accessToken: Secret("at"), expectedSubject: "ada")
    #expect(profile["name"] == "Ada")
    #expect(transport.requests[0].headers.contains { $0 == ("Authorization", "Bearer at") })
    for subject in ["bo", "Ada", "ada ", ""] {
      let error = await refusal(.invalidCredential, .profile) {
        _ = try await client().userInfo(accessToken: Secret("at"), expectedSubject: subject)
      }
      #expect(error?.field == "sub")
    }
    for body in ["{}", #"{"sub":""}"#, #"{"sub":1}"#, #"{"sub":null}"#, #"{"sub":["ada"]}"#] {
      transport.answer { _, _ in .ok(body) }
      for expected in ["ada", nil] {
        let error = await refusal(.invalidCredential, .profile) {
          _ = try await client().userInfo(accessToken: Secret("at"), expectedSubject: expected)
        }
        #expect(error?.field == "sub")
      }
    }
    transport.answer { _, _ in .status(401) }
    let error = await refusal(.invalidCredential, .profile) {
      _ = try await client().userInfo(accessToken: Secret("at"), expectedSubject: "ada")
    }
    #expect(error?.field == "accessToken")
  }

  @Test func `only an active token is in force`() async throws {
    transport.answer { _, _ in .ok(#"{"active":true,"sub":"ada"}"#) }
    let state = try await client(.basic(Secret("s"))).introspect(Secret("token-1"))
    #expect(state["sub"] == "ada")
    #expect(String(decoding: transport.requests[0].body, as: UTF8.self) == "token=token-1")
    for body in [#"{"active":false}"#, #"{"active":"true"}"#, #"{"active":1}"#, "{}"] {
      transport.answer { _, _ in .ok(body) }
      _ = await refusal(.invalidCredential, .token) {
        _ = try await client().introspect(Secret("token-1"))
      }
    }
  }

  @Test func `a token is revoked, or the error names the reason`() async throws {
    transport.answer { _, _ in .status(200) }
    try await client().revoke(Secret("token-1"), hint: "refresh_token")
    #expect(
      String(decoding: transport.requests[0].body, as: UTF8.self)
        == "token=token-1&token_type_hint=refresh_token&client_id=client%3A1")
    transport.answer { _, _ in .status(400, #"{"error":"unsupported_token_type"}"#) }
    _ = await refusal(.invalidCredential, .exchange) {
      try await client().revoke(Secret("token-1"), hint: nil)
    }
    transport.answer { _, _ in .status(503) }
    _ = await refusal(.networkRequestFailed, .exchange) {
      try await client().revoke(Secret("token-1"), hint: nil)
    }
  }

  @Test func `a function that the vendor lacks is refused without a request`() async {
    let bare = OAuthClient(
      transport: transport,
      endpoints: OAuthEndpoints(authorize: "https://id.example/a", token: "https://id.example/t"),
      clientID: "c", authentication: .none)
    _ = await refusal(.operationNotAllowed, .profile) {
      _ = try await bare.userInfo(accessToken: Secret("t"), expectedSubject: nil)
    }
    _ = await refusal(.operationNotAllowed, .token) { _ = try await bare.introspect(Secret("t")) }
    _ = await refusal(.operationNotAllowed, .exchange) {
      try await bare.revoke(Secret("t"), hint: nil)
    }
    #expect(transport.count == 0)
  }
}
