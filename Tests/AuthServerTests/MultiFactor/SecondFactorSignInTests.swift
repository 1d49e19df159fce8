import AuthCore
import AuthTesting
import BuiltInProviders
import Foundation
import Testing

@testable import IdentityToolkitService

@Suite struct SecondFactorSignInTests {
  private static let start = "/v2/accounts/mfaSignIn:start"
  private static let finalize = "/v2/accounts/mfaSignIn:finalize"
  private static let number = "+15555550100"

  @Test(arguments: ServerMode.allCases)
  func `a first factor gives a pending credential, and no tokens`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let ada = try await home.person()
      let token = try await home.enroll(Self.number, ada.idToken).text("idToken")
      let before = try await home.lookUp(token)
      home.clock.advance(seconds: 10)
      let pending = try await home.signIn(ada.email)

      #expect(pending.status == 200)
      #expect(pending.json["idToken"] == nil)
      #expect(pending.json["refreshToken"] == nil)
      #expect(try pending.text("localId") == ada.uid)
      guard case .array(let hints)? = pending.json["mfaInfo"] else { throw NoFactors() }
      #expect(hints.count == 1)
      #expect(hints[0]["phoneInfo"] == "+*******0100")
      #expect(hints[0]["unobfuscatedPhoneInfo"] == nil)
      #expect(hints[0]["enrolledAt"]?.stringValue?.count == 24)
      let between = try await home.stored(ada.uid)
      #expect(between.lastSignInAt == AccountTimes(before).lastLogin)

      let done = try await home.showPhone(pending, Self.number)
      #expect(done.status == 200, "\(done.text)")
      #expect(done.json["expiresIn"] == nil)
      #expect(try !done.text("refreshToken").isEmpty)
      let firebase = try claims(of: try done.text("idToken"))["firebase"]
      #expect(firebase?["sign_in_provider"] == "password")
      #expect(firebase?["sign_in_second_factor"] == "phone")
      #expect(firebase?["second_factor_identifier"] == hints[0]["mfaEnrollmentId"])
      #expect(try await home.stored(ada.uid).lastSignInAt == home.clock.now)
    }
  }

  @Test func `the emulator's pending credential contains its account, and is good again`()
    async throws
  {
    try await withServer(.emulator) { home in
      let ada = try await home.person()
      _ = try await home.enroll(Self.number, ada.idToken)
      let pending = try await home.signIn(ada.email)
      let data = try #require(
        Data(base64Encoded: try pending.text("mfaPendingCredential")))
      let json = try JSONValue(text: String(decoding: data, as: UTF8.self))
      #expect(json["_AuthEmulatorMfaPendingCredential"] == "DO NOT MODIFY")
      #expect(json["localId"] == .string(ada.uid))
      #expect(json["signInProvider"] == "password")
      #expect(json["projectId"] == .string(ServerHome.project))
      for _ in 1...2 {
        #expect(try await home.showPhone(pending, Self.number).status == 200)
      }
    }
  }

  @Test func `in production a pending credential is good once and for a while`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.person()
      _ = try await home.enroll(Self.number, ada.idToken)
      let pending = try await home.signIn(ada.email)
      #expect(try await home.showPhone(pending, Self.number).status == 200)
      let body: JSONValue = [
        "mfaPendingCredential": .string(try pending.text("mfaPendingCredential")),
        "mfaEnrollmentId": "x",
      ]
      #expect(
        try await home.post(Self.start, body).message == "INVALID_MFA_PENDING_CREDENTIAL")
      home.clock.advance(seconds: 1)
      let late = try await home.signIn(ada.email)
      home.clock.advance(seconds: 601)
      let reply = try await home.post(
        Self.start,
        [
          "mfaPendingCredential": .string(try late.text("mfaPendingCredential")),
          "mfaEnrollmentId": "x",
        ])
      #expect(reply.message == "INVALID_MFA_PENDING_CREDENTIAL")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `requests that lack something are refused`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.person()
      _ = try await home.enroll(Self.number, ada.idToken)
      let pending = JSONValue.string(
        try await home.signIn(ada.email).text("mfaPendingCredential"))
      let bad =
        mode == .emulator
        ? "((Invalid phoneVerificationInfo.mfaPendingCredential.))"
        : "INVALID_MFA_PENDING_CREDENTIAL"
      let starts: [(JSONValue, String)] = [
        (
          [:],
          "MISSING_MFA_PENDING_CREDENTIAL : Request does not have MFA pending credential."
        ),
        (
          ["mfaPendingCredential": pending],
          "MISSING_MFA_ENROLLMENT_ID : No second factor identifier is provided."
        ),
        (["mfaPendingCredential": "x", "mfaEnrollmentId": "x"], bad),
        (
          ["mfaPendingCredential": pending, "mfaEnrollmentId": "x"], "MFA_ENROLLMENT_NOT_FOUND"
        ),
      ]
      for (body, message) in starts {
        #expect(try await home.post(Self.start, body).message == message)
      }
      let ends: [(JSONValue, String)] = [
        ([:], "MISSING_CREDENTIAL : Please set MFA Pending Credential."),
        (["mfaPendingCredential": pending], "INVALID_ARGUMENT : MFA provider not supported!"),
        (
          ["mfaPendingCredential": pending, "phoneVerificationInfo": ["sessionInfo": "x"]],
          "MISSING_CODE"
        ),
        (
          ["mfaPendingCredential": pending, "phoneVerificationInfo": ["code": "x"]],
          "MISSING_SESSION_INFO"
        ),
        (
          [
            "mfaPendingCredential": pending,
            "phoneVerificationInfo": ["sessionInfo": "x", "code": "123456"],
          ], "INVALID_SESSION_INFO"
        ),
      ]
      for (body, message) in ends {
        #expect(try await home.post(Self.finalize, body).message == message)
      }
      let android = try await home.post(
        Self.finalize,
        [
          "mfaPendingCredential": pending,
          "phoneVerificationInfo": ["androidVerificationProof": "x"],
        ])
      #expect(android.status == 501)
    }
  }

  @Test func `a pending credential of another project is refused by the emulator`() async throws {
    try await withServer(.emulator) { home in
      let other: JSONValue = [
        "_AuthEmulatorMfaPendingCredential": "DO NOT MODIFY", "localId": "x",
        "signInProvider": "password", "projectId": "other", "session": "x",
      ]
      let reply = try await home.post(
        Self.start,
        [
          "mfaPendingCredential": .string(Data(other.text.utf8).base64EncodedString()),
          "mfaEnrollmentId": "x",
        ])
      #expect(
        reply.message == "INVALID_PROJECT_ID : Project ID does not match MFA pending credential.")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an account that was disabled meanwhile stays shut`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.person()
      _ = try await home.enroll(Self.number, ada.idToken)
      let pending = try await home.signIn(ada.email)
      guard case .array(let hints)? = pending.json["mfaInfo"] else { throw NoFactors() }
      let credential = try #require(pending.json["mfaPendingCredential"])
      let begun = try await home.post(
        Self.start,
        [
          "mfaPendingCredential": credential,
          "mfaEnrollmentId": try #require(hints[0]["mfaEnrollmentId"]),
        ])
      let code = try #require(home.messages.last(to: Self.number)).proof.reveal()
      _ = try await home.graph.setDisabled(true, AccountID(ada.uid), by: home.admin)
      let reply = try await home.post(
        Self.finalize,
        [
          "mfaPendingCredential": credential,
          "phoneVerificationInfo": [
            "sessionInfo": try #require(begun.json["phoneResponseInfo"]?["sessionInfo"]),
            "code": .string(code),
          ],
        ])
      #expect(reply.json["idToken"] == nil)
      // Pending sign-ins of an account end with its sessions, which the emulator keeps.
      let isOver = mode == .production
      #expect(reply.message == (isOver ? "INVALID_MFA_PENDING_CREDENTIAL" : "USER_DISABLED"))
    }
  }

  @Test func `an authenticator app's code completes a sign-in once`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.person()
      let (_, secret) = try await home.enrollApp(ada.idToken)
      home.clock.advance(seconds: 60)
      let pending = try await home.signIn(ada.email)
      guard case .array(let hints)? = pending.json["mfaInfo"] else { throw NoFactors() }
      #expect(hints[0]["totpInfo"] == [:])
      let code = try #require(HMACTOTP().code(for: secret, at: home.clock.now))
      func show(_ code: String, _ id: JSONValue?) async throws -> Reply {
        var body: [String: JSONValue] = [
          "mfaPendingCredential": try #require(pending.json["mfaPendingCredential"]),
          "totpVerificationInfo": ["verificationCode": .string(code)],
        ]
        body["mfaEnrollmentId"] = id
        return try await home.post(Self.finalize, .object(body))
      }
      let id = hints[0]["mfaEnrollmentId"]
      #expect(
        try await show(code, nil).message
          == "MISSING_MFA_ENROLLMENT_ID : No second factor identifier is provided.")
      #expect(
        try await show(code == "000000" ? "111111" : "000000", id).message == "INVALID_CODE")
      let done = try await show(code, id)
      #expect(done.status == 200, "\(done.text)")
      #expect(
        try claims(of: try done.text("idToken"))["firebase"]?["sign_in_second_factor"] == "totp")
      #expect(try await show(code, id).status == 400)
    }
  }

  @Test func `the emulator sends no code to a phone that would be both factors`() async throws {
    try await withServer(.emulator) { home in
      let shown = try await home.phoneCode("+15555550111")
      let opened = try await home.post(
        "/v1/accounts:signInWithPhoneNumber",
        ["sessionInfo": .string(shown.session), "code": .string(shown.code)])
      var changes = ProfileChanges()
      changes.secondFactors = [
        SecondFactor(id: "one", kind: .phone(try PhoneNumber(Self.number)))
      ]
      _ = try await home.graph.update(
        AccountID(try opened.text("localId")), changes, by: home.admin)
      let reply = try await home.post(
        "/v1/accounts:sendVerificationCode", ["phoneNumber": "+15555550111"])
      #expect(
        reply.message
          == "UNSUPPORTED_FIRST_FACTOR : A phone number cannot be set as a first factor on an SMS based MFA user."
      )
    }
  }
}

/// The times of a user record.
struct AccountTimes {
  let lastLogin: Timestamp?

  init(_ user: JSONValue) {
    lastLogin = user["lastLoginAt"]?.stringValue.flatMap(Int64.init).map(
      Timestamp.init(milliseconds:))
  }
}

extension ServerHome {
  func stored(_ uid: String) async throws -> Account {
    try #require(try await graph.account(AccountID(uid), in: scope))
  }
}
