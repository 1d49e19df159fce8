import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

@Suite struct EmailLinkTests {
  private static let path = "/v1/accounts:signInWithEmailLink"

  private static func body(
    _ email: String, _ code: String, _ more: [String: JSONValue] = [:]
  ) -> JSONValue {
    .object(more.merging(["email": .string(email), "oobCode": .string(code)]) { $1 })
  }

  @Test(arguments: ServerMode.allCases)
  func `a link opens an account with a verified address, and later enters it`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let first = try await home.post(
        Self.path,
        Self.body("ada@example.com", try await home.code("EMAIL_SIGNIN", to: "ada@example.com")))
      #expect(first.status == 200, "\(first.text)")
      #expect(try first.text("kind") == "identitytoolkit#EmailLinkSigninResponse")
      #expect(try first.text("email") == "ada@example.com")
      #expect(first.json["isNewUser"] == true)
      #expect(try first.text("expiresIn") == "3600")
      #expect(try !first.text("refreshToken").isEmpty)
      let claims = try claims(of: try first.text("idToken"))
      #expect(claims["firebase"]?["sign_in_provider"] == "password")
      #expect(claims["email_verified"] == true)

      let second = try await home.post(
        Self.path,
        Self.body("ADA@example.com", try await home.code("EMAIL_SIGNIN", to: "ada@example.com")))
      #expect(second.json["isNewUser"] == false)
      #expect(try second.text("localId") == first.text("localId"))
      let user = try await home.lookUp(try second.text("idToken"))
      #expect(user["emailLinkSignin"] == true)
      #expect(user["emailVerified"] == true)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a code signs in once, and only its receiver`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let code = try await home.code("EMAIL_SIGNIN", to: "ada@example.com")
      #expect(
        try await home.post(Self.path, Self.body("eve@example.com", code)).message
          == "INVALID_EMAIL : The email provided does not match the sign-in email address.")
      #expect(try await home.post(Self.path, Self.body("ada@example.com", code)).status == 200)
      #expect(
        try await home.post(Self.path, Self.body("ada@example.com", code)).message
          == "INVALID_OOB_CODE")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `requests that lack something are refused`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      #expect(try await home.post(Self.path, ["oobCode": "x"]).message == "MISSING_EMAIL")
      #expect(
        try await home.post(Self.path, ["email": "ada@example.com"]).message == "MISSING_OOB_CODE")
      #expect(
        try await home.post(Self.path, Self.body("ada@example.com", "x")).message
          == "INVALID_OOB_CODE")
      #expect(
        try await home.post(Self.path, ["idToken": "x"]).message == "INVALID_ID_TOKEN")
      let ada = try await home.person()
      let reset = try await home.code("PASSWORD_RESET", to: ada.email)
      #expect(
        try await home.post(Self.path, Self.body(ada.email, reset)).message == "INVALID_OOB_CODE")
      try await home.change { $0.signIn.closedProviders = [.emailLink] }
      #expect(try await home.post(Self.path).code == "OPERATION_NOT_ALLOWED")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an account that is disabled stays shut`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.person()
      let code = try await home.code("EMAIL_SIGNIN", to: ada.email)
      _ = try await home.graph.setDisabled(true, AccountID(ada.uid), by: home.admin)
      #expect(
        try await home.post(Self.path, Self.body(ada.email, code)).message == "USER_DISABLED")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an anonymous account gets an address by a link and keeps its uid`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let anonymous = try await home.post("/v1/accounts:signUp")
      let code = try await home.code("EMAIL_SIGNIN", to: "ada@example.com")
      let linked = try await home.post(
        Self.path,
        Self.body("ada@example.com", code, ["idToken": .string(try anonymous.text("idToken"))]))
      #expect(linked.status == 200, "\(linked.text)")
      #expect(try linked.text("localId") == anonymous.text("localId"))
      #expect(linked.json["isNewUser"] == false)
      let user = try await home.lookUp(try linked.text("idToken"))
      #expect(user["email"] == "ada@example.com")
      #expect(user["emailVerified"] == true)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an address of another account is not linked`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      _ = try await home.person("bo@example.com")
      let ada = try await home.person()
      let code = try await home.code("EMAIL_SIGNIN", to: "bo@example.com")
      let reply = try await home.post(
        Self.path, Self.body("bo@example.com", code, ["idToken": .string(ada.idToken)]))
      #expect(reply.message == "EMAIL_EXISTS")
    }
  }

  @Test func `a code ends with its time`() async throws {
    try await withServer(.production) { home in
      let code = try await home.code("EMAIL_SIGNIN", to: "ada@example.com")
      home.clock.advance(seconds: 6 * 3600 + 1)
      #expect(
        try await home.post(Self.path, Self.body("ada@example.com", code)).message
          == "EXPIRED_OOB_CODE")
    }
  }
}
