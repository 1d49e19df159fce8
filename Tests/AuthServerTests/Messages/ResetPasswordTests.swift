import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

@Suite struct ResetPasswordTests {
  private static let path = "/v1/accounts:resetPassword"

  @Test(arguments: ServerMode.allCases)
  func `the purpose of a code can be asked without using it`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.person(verified: false)
      let reset = try await home.code("PASSWORD_RESET", to: ada.email)
      for _ in 1...2 {
        let reply = try await home.post(Self.path, ["oobCode": .string(reset)])
        #expect(
          reply.json == [
            "kind": "identitytoolkit#ResetPasswordResponse", "requestType": "PASSWORD_RESET",
            "email": "ada@example.com",
          ])
      }
      let verify = try await home.code(
        "VERIFY_EMAIL", to: ada.email, ["idToken": .string(ada.idToken)])
      let verifying = try await home.post(Self.path, ["oobCode": .string(verify)])
      #expect(try verifying.text("requestType") == "VERIFY_EMAIL")
      #expect(try verifying.text("email") == "ada@example.com")
      let change = try await home.code(
        "VERIFY_AND_CHANGE_EMAIL", to: "new@example.com",
        ["idToken": .string(ada.idToken), "newEmail": "new@example.com"])
      let changing = try await home.post(Self.path, ["oobCode": .string(change)])
      #expect(try changing.text("email") == "ada@example.com")
      #expect(try changing.text("newEmail") == "new@example.com")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a sign-in code does not reveal its address`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let code = try await home.code("EMAIL_SIGNIN", to: "ada@example.com")
      let reply = try await home.post(Self.path, ["oobCode": .string(code)])
      #expect(
        reply.json == [
          "kind": "identitytoolkit#ResetPasswordResponse", "requestType": "EMAIL_SIGNIN",
        ])
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a code sets a new password once, verifies the address and ends sessions`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let ada = try await home.person(verified: false)
      home.clock.advance(seconds: 2)
      let code = try await home.code("PASSWORD_RESET", to: ada.email)
      let reply = try await home.post(
        Self.path, ["oobCode": .string(code), "newPassword": "a new password"])
      var expected: [String: JSONValue] = [
        "kind": "identitytoolkit#ResetPasswordResponse", "requestType": "PASSWORD_RESET",
        "email": "ada@example.com",
      ]
      if mode == .production {
        let masked: JSONValue = "a•••@example.com"
        expected["waysIn"] = [
          ["kind": "password", "provider": "password", "label": masked, "usable": true],
          ["kind": "sessions", "usable": true],
          ["kind": "mailbox", "label": masked, "usable": true],
        ]
      }
      #expect(reply.json == .object(expected))
      let again = try await home.post(
        Self.path, ["oobCode": .string(code), "newPassword": "yet another"])
      #expect(again.message == "INVALID_OOB_CODE")
      #expect(try await home.signIn(ada.email).status == 400)
      #expect(
        try await home.post("/v1/accounts:lookup", ["idToken": .string(ada.idToken)]).message
          == "TOKEN_EXPIRED")
      let now = try await home.signedIn(ada.email, "a new password")
      #expect(now.uid == ada.uid)
      #expect(try await home.lookUp(now.idToken)["emailVerified"] == true)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a password that is too short leaves the code as it is`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.person()
      let code = try await home.code("PASSWORD_RESET", to: ada.email)
      let weak = try await home.post(
        Self.path, ["oobCode": .string(code), "newPassword": "12345"])
      #expect(weak.message == "WEAK_PASSWORD : Password should be at least 6 characters")
      let strong = try await home.post(
        Self.path, ["oobCode": .string(code), "newPassword": "a new password"])
      #expect(strong.status == 200)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `codes that are missing, unknown or for something else are refused`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      #expect(try await home.post(Self.path).message == "MISSING_OOB_CODE")
      #expect(
        try await home.post(Self.path, ["oobCode": "nothing"]).message == "INVALID_OOB_CODE")
      let code = try await home.code("EMAIL_SIGNIN", to: "ada@example.com")
      let other = try await home.post(
        Self.path, ["oobCode": .string(code), "newPassword": "a new password"])
      #expect(other.message == "INVALID_OOB_CODE")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `no password is reset if passwords are closed`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      _ = try await home.post(Self.path)
      try await home.change { $0.signIn.closedProviders = [.password] }
      #expect(
        try await home.post(Self.path, ["oobCode": "x"]).code
          == (mode == .emulator ? "PASSWORD_LOGIN_DISABLED" : "OPERATION_NOT_ALLOWED"))
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a code ends with its time, save in the emulator`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.person()
      let code = try await home.code("PASSWORD_RESET", to: ada.email)
      home.clock.advance(seconds: 3601)
      let reply = try await home.post(Self.path, ["oobCode": .string(code)])
      if mode == .emulator {
        #expect(reply.status == 200)
      } else {
        #expect(reply.message == "EXPIRED_OOB_CODE")
      }
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an account that is gone has no codes`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.person()
      let code = try await home.code("PASSWORD_RESET", to: ada.email)
      _ = try await home.post("/v1/accounts:delete", ["idToken": .string(ada.idToken)])
      let reply = try await home.post(
        Self.path, ["oobCode": .string(code), "newPassword": "a new password"])
      #expect(reply.message == "INVALID_OOB_CODE")
    }
  }
}
