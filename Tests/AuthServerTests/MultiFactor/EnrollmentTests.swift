import AuthCore
import AuthTesting
import BuiltInProviders
import Foundation
import Testing

@testable import IdentityToolkitService

@Suite struct EnrollmentTests {
  private static let start = "/v2/accounts/mfaEnrollment:start"
  private static let finalize = "/v2/accounts/mfaEnrollment:finalize"
  private static let withdraw = "/v2/accounts/mfaEnrollment:withdraw"
  private static let number = "+15555550100"

  @Test(arguments: ServerMode.allCases)
  func `a phone is enrolled, and the new tokens have shown it`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.person()
      home.clock.advance(seconds: 3)
      let done = try await home.enroll(Self.number, ada.idToken, name: "my phone")

      #expect(done.json["expiresIn"] == nil)
      #expect(try !done.text("refreshToken").isEmpty)
      if mode == .production { #expect(done.json["phoneAuthInfo"] == [:]) }
      let user = try await home.lookUp(try done.text("idToken"))
      guard case .array(let factors)? = user["mfaInfo"] else { throw NoFactors() }
      #expect(factors.count == 1)
      #expect(factors[0]["phoneInfo"] == .string(Self.number))
      #expect(factors[0]["displayName"] == "my phone")
      #expect(factors[0]["mfaEnrollmentId"]?.stringValue?.count == 28)
      let enrolledAt = try #require(factors[0]["enrolledAt"]?.stringValue)
      #expect(enrolledAt.hasSuffix("Z") && enrolledAt.count == 24, "\(enrolledAt)")
      if mode == .emulator {
        #expect(factors[0]["unobfuscatedPhoneInfo"] == .string(Self.number))
      }
      let firebase = try claims(of: try done.text("idToken"))["firebase"]
      #expect(firebase?["sign_in_provider"] == "password")
      #expect(firebase?["sign_in_second_factor"] == "phone")
      #expect(firebase?["second_factor_identifier"] == factors[0]["mfaEnrollmentId"])
    }
  }

  @Test func `the emulator lists the code of an enrolment under its session`() async throws {
    try await withServer(.emulator) { home in
      let ada = try await home.person()
      let begun = try await home.post(
        Self.start,
        [
          "idToken": .string(ada.idToken),
          "phoneEnrollmentInfo": ["phoneNumber": .string(Self.number)],
        ])
      let codes = try await home.listed("verificationCodes")
      #expect(codes.count == 1)
      #expect(codes[0]["phoneNumber"] == .string(Self.number))
      #expect(codes[0]["sessionInfo"] == begun.json["phoneSessionInfo"]?["sessionInfo"])
      let done = try await home.post(
        Self.finalize,
        [
          "idToken": .string(ada.idToken),
          "phoneVerificationInfo": [
            "sessionInfo": try #require(codes[0]["sessionInfo"]),
            "code": try #require(codes[0]["code"]),
          ],
        ])
      #expect(done.status == 200, "\(done.text)")
      #expect(try await home.listed("verificationCodes").isEmpty)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `enrolments that lack something are refused`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let token = JSONValue.string(try await home.person().idToken)
      let unverified = JSONValue.string(
        try await home.person("bo@example.com", verified: false).idToken)
      let anonymous = JSONValue.string(try await home.post("/v1/accounts:signUp").text("idToken"))
      let lone = "UNSUPPORTED_FIRST_FACTOR : MFA is not available for the given first factor."
      let starts: [(JSONValue, String)] = [
        ([:], "MISSING_ID_TOKEN"), (["idToken": "x"], "INVALID_ID_TOKEN"),
        (["idToken": anonymous], lone),
        (
          ["idToken": unverified],
          "UNVERIFIED_EMAIL : Need to verify email first before enrolling second factors."
        ),
        (["idToken": token], "INVALID_ARGUMENT : ((Missing phoneEnrollmentInfo.))"),
        (
          ["idToken": token, "phoneEnrollmentInfo": ["phoneNumber": "555"]],
          "INVALID_PHONE_NUMBER : Invalid format."
        ),
      ]
      for (body, message) in starts {
        #expect(try await home.post(Self.start, body).message == message)
      }
      let ends: [(JSONValue, String)] = [
        ([:], "MISSING_ID_TOKEN"), (["idToken": anonymous], lone),
        (["idToken": token], "INVALID_ARGUMENT : ((Missing phoneVerificationInfo.))"),
        (["idToken": token, "phoneVerificationInfo": ["sessionInfo": "x"]], "MISSING_CODE"),
        (["idToken": token, "phoneVerificationInfo": ["code": "x"]], "MISSING_SESSION_INFO"),
        (
          ["idToken": token, "phoneVerificationInfo": ["sessionInfo": "x", "code": "123456"]],
          "INVALID_SESSION_INFO"
        ),
      ]
      for (body, message) in ends {
        #expect(try await home.post(Self.finalize, body).message == message)
      }
      let android = try await home.post(
        Self.finalize,
        ["idToken": token, "phoneVerificationInfo": ["androidVerificationProof": "x"]])
      #expect(android.status == 501)
      #expect(try await home.post(Self.withdraw).message == "MISSING_ID_TOKEN")
      #expect(
        try await home.post(Self.withdraw, ["idToken": token, "mfaEnrollmentId": "x"]).message
          == "MFA_ENROLLMENT_NOT_FOUND")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a number is enrolled once, and a wrong code enrols nothing`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let ada = try await home.person()
      let begun = try await home.post(
        Self.start,
        [
          "idToken": .string(ada.idToken),
          "phoneEnrollmentInfo": ["phoneNumber": .string(Self.number)],
        ])
      let right = try #require(home.messages.last(to: Self.number)).proof.reveal()
      let wrong = try await home.post(
        Self.finalize,
        [
          "idToken": .string(ada.idToken),
          "phoneVerificationInfo": [
            "sessionInfo": try #require(begun.json["phoneSessionInfo"]?["sessionInfo"]),
            "code": right == "000000" ? "111111" : "000000",
          ],
        ])
      #expect(wrong.message == "INVALID_CODE")
      let token = try await home.enroll(Self.number, ada.idToken).text("idToken")
      let again = try await home.post(
        Self.start,
        ["idToken": .string(token), "phoneEnrollmentInfo": ["phoneNumber": .string(Self.number)]])
      #expect(
        again.message
          == "SECOND_FACTOR_EXISTS : Phone number already enrolled as second factor for this account."
      )
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a scope without second factors enrols none`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let token = try await home.person().idToken
      try await home.change { $0.signIn.multiFactor.state = .disabled }
      for operation in ["mfaEnrollment:start", "mfaEnrollment:finalize", "mfaSignIn:start"] {
        let reply = try await home.post(
          "/v2/accounts/\(operation)", ["idToken": .string(token)])
        if operation == "mfaSignIn:start" && mode == .production { continue }
        #expect(reply.message == "OPERATION_NOT_ALLOWED : SMS based MFA not enabled.")
      }
      try await home.change {
        $0.signIn.multiFactor.state = .enabled
        $0.signIn.multiFactor.allowsPhone = false
      }
      #expect(
        try await home.post(Self.start, ["idToken": .string(token)]).message
          == "OPERATION_NOT_ALLOWED : SMS based MFA not enabled.")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `factors are withdrawn one after the other`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.person()
      let one = try await home.enroll(Self.number, ada.idToken).text("idToken")
      let two = try await home.enroll("+15555550101", one).text("idToken")
      let ids = try await home.factorIDs(two)
      #expect(ids.count == 2)

      let first = try await home.post(
        Self.withdraw, ["idToken": .string(two), "mfaEnrollmentId": .string(ids[0])])
      #expect(first.status == 200, "\(first.text)")
      let token = try first.text("idToken")
      #expect(try await home.factorIDs(token) == [ids[1]])
      if mode == .emulator {
        #expect(try claims(of: token)["firebase"]?["sign_in_second_factor"] == nil)
        #expect(try claims(of: token)["firebase"]?["second_factor_identifier"] == nil)
      }
      let second = try await home.post(
        Self.withdraw, ["idToken": .string(token), "mfaEnrollmentId": .string(ids[1])])
      #expect(second.status == 200, "\(second.text)")
      #expect(try second.text("expiresIn") == "3600")
      #expect(
        try claims(of: try second.text("idToken"))["firebase"]?["sign_in_second_factor"] == nil)
      #expect(try await home.signIn(ada.email).json["mfaPendingCredential"] == nil)
    }
  }

  @Test func `production ends other sessions and notifies the account's address`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.person()
      home.clock.advance(seconds: 2)
      let other = try await home.signedIn(ada.email)
      home.clock.advance(seconds: 2)
      _ = try await home.enroll(Self.number, ada.idToken)
      #expect(
        try await home.post("/v1/accounts:lookup", ["idToken": .string(other.idToken)]).message
          == "TOKEN_EXPIRED")
      let message = try #require(home.messages.last(to: ada.email))
      #expect(message.kind == .secondFactorAdded)
      #expect(parameters(of: message.proof.reveal())["mode"] == "revertSecondFactorAddition")
      let inspected = try await home.post(
        "/v1/accounts:resetPassword",
        ["oobCode": .string(try #require(parameters(of: message.proof.reveal())["oobCode"]))])
      #expect(try inspected.text("requestType") == "REVERT_SECOND_FACTOR_ADDITION")
      #expect(inspected.json["mfaInfo"]?["phoneInfo"] == "+*******0100")
    }
  }

  @Test func `production wants a recent sign-in`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.person()
      home.clock.advance(seconds: 301)
      let reply = try await home.post(
        Self.start,
        [
          "idToken": .string(ada.idToken),
          "phoneEnrollmentInfo": ["phoneNumber": .string(Self.number)],
        ])
      #expect(reply.message == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
    }
  }

  @Test func `an authenticator app is enrolled, and the emulator has none`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.person()
      let (done, _) = try await home.enrollApp(ada.idToken)
      #expect(done.json["totpAuthInfo"] == [:])
      let firebase = try claims(of: try done.text("idToken"))["firebase"]
      #expect(firebase?["sign_in_second_factor"] == "totp")
      let user = try await home.lookUp(try done.text("idToken"))
      guard case .array(let factors)? = user["mfaInfo"] else { throw NoFactors() }
      #expect(factors[0]["totpInfo"] == [:])
    }
    try await withServer(.emulator) { home in
      let ada = try await home.person()
      let reply = try await home.post(
        Self.start, ["idToken": .string(ada.idToken), "totpEnrollmentInfo": [:]])
      #expect(reply.message == "INVALID_ARGUMENT : ((Missing phoneEnrollmentInfo.))")
    }
  }

  @Test func `a scope without authenticator apps enrols none`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.person()
      try await home.change { $0.signIn.multiFactor.allowsTOTP = false }
      let reply = try await home.post(
        Self.start, ["idToken": .string(ada.idToken), "totpEnrollmentInfo": [:]])
      #expect(reply.message == "OPERATION_NOT_ALLOWED : TOTP based MFA not enabled.")
    }
  }
}

struct NoFactors: Error {}

extension ServerHome {
  func factorIDs(_ idToken: String) async throws -> [String] {
    guard case .array(let factors)? = try await lookUp(idToken)["mfaInfo"] else { return [] }
    return factors.compactMap { $0["mfaEnrollmentId"]?.stringValue }
  }

  /// Enrols an authenticator app; returns the answer and the app's secret.
  func enrollApp(_ idToken: String) async throws -> (Reply, Secret<String>) {
    let begun = try await post(
      "/v2/accounts/mfaEnrollment:start",
      ["idToken": .string(idToken), "totpEnrollmentInfo": [:]])
    let info = try #require(begun.json["totpSessionInfo"], "\(begun.text)")
    #expect(info["verificationCodeLength"] == 6)
    #expect(info["hashingAlgorithm"] == "SHA1")
    #expect(info["periodSec"] == 30)
    #expect(info["finalizeEnrollmentTime"]?.stringValue?.count == 24)
    let secret = Secret(try #require(info["sharedSecretKey"]?.stringValue))
    let done = try await post(
      "/v2/accounts/mfaEnrollment:finalize",
      [
        "idToken": .string(idToken), "displayName": "my app",
        "totpVerificationInfo": [
          "sessionInfo": try #require(info["sessionInfo"]),
          "verificationCode": .string(try #require(HMACTOTP().code(for: secret, at: clock.now))),
        ],
      ])
    try #require(done.status == 200, "\(done.text)")
    return (done, secret)
  }
}
