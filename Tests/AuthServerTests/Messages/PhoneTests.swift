import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

@Suite struct PhoneTests {
  private static let path = "/v1/accounts:signInWithPhoneNumber"
  private static let number = "+15555550100"

  private static func body(
    _ shown: (session: String, code: String), _ more: [String: JSONValue] = [:]
  ) -> JSONValue {
    .object(
      more.merging(["sessionInfo": .string(shown.session), "code": .string(shown.code)]) { $1 })
  }

  @Test(arguments: ServerMode.allCases)
  func `a code opens an account, and later enters it`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let first = try await home.post(Self.path, Self.body(try await home.phoneCode(Self.number)))
      #expect(first.status == 200, "\(first.text)")
      #expect(first.json["isNewUser"] == true)
      #expect(try first.text("phoneNumber") == Self.number)
      #expect(try first.text("expiresIn") == "3600")
      #expect(first.json["kind"] == nil)
      let claims = try claims(of: try first.text("idToken"))
      #expect(claims["phone_number"] == .string(Self.number))
      #expect(claims["firebase"]?["sign_in_provider"] == "phone")
      #expect(claims["firebase"]?["identities"]?["phone"] == [.string(Self.number)])

      let second = try await home.post(
        Self.path, Self.body(try await home.phoneCode(Self.number)))
      #expect(second.json["isNewUser"] == false)
      #expect(try second.text("localId") == first.text("localId"))
      let user = try await home.lookUp(try second.text("idToken"))
      #expect(user["phoneNumber"] == .string(Self.number))
      #expect(
        user["providerUserInfo"] == [
          [
            "providerId": "phone", "rawId": .string(Self.number),
            "phoneNumber": .string(Self.number),
          ]
        ])
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `invalid numbers get no code`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home async throws in
      let path = "/v1/accounts:sendVerificationCode"
      #expect(
        try await home.post(path).message
          == (mode == .emulator
            ? "INVALID_PHONE_NUMBER : Invalid format." : "MISSING_PHONE_NUMBER"))
      #expect(
        try await home.post(path, ["phoneNumber": "5555550100"]).message
          == "INVALID_PHONE_NUMBER : Invalid format.")
      #expect(home.messages.messages.isEmpty)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `requests that lack something are refused`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home async throws in
      let table: [(JSONValue, String)] = [
        ([:], "MISSING_SESSION_INFO"),
        (["sessionInfo": "x"], "MISSING_CODE"),
        (["sessionInfo": "x", "code": "123456"], "INVALID_SESSION_INFO"),
        (["temporaryProof": "x"], "MISSING_PHONE_NUMBER"),
        (["temporaryProof": "x", "phoneNumber": "+15555550100"], "INVALID_TEMPORARY_PROOF"),
      ]
      for (body, message) in table {
        #expect(try await home.post(Self.path, body).message == message)
      }
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a wrong code uses nothing up, and a right one is good once`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let shown = try await home.phoneCode(Self.number)
      let wrong = shown.code == "000000" ? "111111" : "000000"
      #expect(
        try await home.post(Self.path, Self.body((shown.session, wrong))).message == "INVALID_CODE")
      #expect(try await home.post(Self.path, Self.body(shown)).status == 200)
      #expect(
        try await home.post(Self.path, Self.body(shown)).message
          == (mode == .emulator ? "INVALID_SESSION_INFO" : "SESSION_EXPIRED"))
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a code ends with its time, save in the emulator`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let shown = try await home.phoneCode(Self.number)
      home.clock.advance(seconds: 3601)
      let reply = try await home.post(Self.path, Self.body(shown))
      if mode == .emulator {
        #expect(reply.status == 200)
      } else {
        #expect(reply.message == "SESSION_EXPIRED")
      }
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `tenants have no phones`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let tenant = try await home.graph.createTenant(
        "shop", in: ServerHome.project, settings: ProjectSettings(), by: home.admin)
      for operation in ["sendVerificationCode", "signInWithPhoneNumber"] {
        let reply = try await home.post(
          "/v1/accounts:\(operation)",
          ["tenantId": .string(tenant.tenant ?? ""), "phoneNumber": .string(Self.number)])
        #expect(reply.message == "UNSUPPORTED_TENANT_OPERATION")
      }
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a number is added to an account`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.person()
      let reply = try await home.post(
        Self.path,
        Self.body(
          try await home.phoneCode(Self.number),
          ["idToken": .string(ada.idToken), "operation": "LINK"]))
      #expect(reply.status == 200, "\(reply.text)")
      #expect(try reply.text("localId") == ada.uid)
      #expect(reply.json["isNewUser"] == false)
      let claims = try claims(of: try reply.text("idToken"))
      #expect(claims["firebase"]?["sign_in_provider"] == "phone")
      #expect(try await home.lookUp(try reply.text("idToken"))["phoneNumber"] == "+15555550100")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a new number takes the place of the old one`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let first = try await home.post(Self.path, Self.body(try await home.phoneCode(Self.number)))
      let reply = try await home.post(
        Self.path,
        Self.body(
          try await home.phoneCode("+15555550101"),
          ["idToken": .string(try first.text("idToken")), "operation": "UPDATE"]))
      #expect(reply.status == 200, "\(reply.text)")
      #expect(try reply.text("localId") == first.text("localId"))
      let user = try await home.lookUp(try reply.text("idToken"))
      #expect(user["phoneNumber"] == "+15555550101")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a number of another account answers with a proof that signs in to that one`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let owner = try await home.post(Self.path, Self.body(try await home.phoneCode(Self.number)))
      let ada = try await home.person()
      let conflict = try await home.post(
        Self.path,
        Self.body(
          try await home.phoneCode(Self.number), ["idToken": .string(ada.idToken)]))
      #expect(conflict.status == 200, "\(conflict.text)")
      let proof = try conflict.text("temporaryProof")
      #expect(
        conflict.json == [
          "phoneNumber": .string(Self.number), "temporaryProof": .string(proof),
          "temporaryProofExpiresIn": "3600",
        ])

      let stranger = try await home.post(
        Self.path, ["temporaryProof": .string(proof), "phoneNumber": "+15555550199"])
      #expect(stranger.message == "INVALID_TEMPORARY_PROOF")
      let linking = try await home.post(
        Self.path,
        [
          "temporaryProof": .string(proof), "phoneNumber": .string(Self.number),
          "idToken": .string(ada.idToken),
        ])
      #expect(linking.message == "PHONE_NUMBER_EXISTS")
      let entering = try await home.post(
        Self.path, ["temporaryProof": .string(proof), "phoneNumber": .string(Self.number)])
      #expect(entering.status == 200, "\(entering.text)")
      #expect(try entering.text("localId") == owner.text("localId"))
      #expect(entering.json["isNewUser"] == false)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `reauthentication opens no account, save in the emulator`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let unknown = try await home.post(
        Self.path,
        Self.body(try await home.phoneCode(Self.number), ["operation": "REAUTH"]))
      if mode == .emulator {
        #expect(unknown.json["isNewUser"] == true)
      } else {
        #expect(unknown.message == "USER_NOT_FOUND")
        #expect(try await home.graph.accountCount(in: home.scope) == 0)
        let opened = try await home.post(
          Self.path, Self.body(try await home.phoneCode(Self.number)))
        let again = try await home.post(
          Self.path, Self.body(try await home.phoneCode(Self.number), ["operation": 2]))
        #expect(try again.text("localId") == opened.text("localId"))
        for operation in ["LINK", "UPDATE"] {
          let reply = try await home.post(
            Self.path,
            Self.body(try await home.phoneCode(Self.number), ["operation": .string(operation)]))
          #expect(reply.message == "MISSING_ID_TOKEN")
        }
      }
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `phones do not sign in if they are closed or their account is disabled`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let owner = try await home.post(Self.path, Self.body(try await home.phoneCode(Self.number)))
      let uid = AccountID(try owner.text("localId"))
      _ = try await home.graph.setDisabled(true, uid, by: home.admin)
      let shown = try await home.phoneCode(Self.number)
      #expect(try await home.post(Self.path, Self.body(shown)).message == "USER_DISABLED")
      try await home.change { $0.signIn.closedProviders = [.phone] }
      for operation in ["sendVerificationCode", "signInWithPhoneNumber"] {
        let reply = try await home.post(
          "/v1/accounts:\(operation)", ["phoneNumber": .string(Self.number)])
        #expect(reply.code == "OPERATION_NOT_ALLOWED")
        #expect((reply.message == reply.code) == (mode == .emulator), "\(reply.text)")
      }
    }
  }

  @Test func `the emulator lists codes until they are used`() async throws {
    try await withServer(.emulator) { home in
      let first = try await home.phoneCode(Self.number)
      home.clock.advance(seconds: 1)
      let second = try await home.phoneCode("+15555550101")
      let codes = try await home.listed("verificationCodes")
      #expect(
        codes == [
          [
            "phoneNumber": .string(Self.number), "code": .string(first.code),
            "sessionInfo": .string(first.session),
          ],
          [
            "phoneNumber": "+15555550101", "code": .string(second.code),
            "sessionInfo": .string(second.session),
          ],
        ])
      _ = try await home.post(Self.path, Self.body(first))
      #expect(try await home.listed("verificationCodes").count == 1)
    }
  }

  @Test func `a test number gets no message and has its own code`() async throws {
    try await withServer(.production) { home in
      try await home.change {
        $0.providers["phone"] = ProviderConfiguration(values: [
          "testNumbers": ["+15555550100": "424242"]
        ])
      }
      let sent = try await home.post(
        "/v1/accounts:sendVerificationCode", ["phoneNumber": .string(Self.number)])
      #expect(home.messages.messages.isEmpty)
      let reply = try await home.post(
        Self.path, Self.body((try sent.text("sessionInfo"), "424242")))
      #expect(reply.status == 200, "\(reply.text)")
    }
  }
}
