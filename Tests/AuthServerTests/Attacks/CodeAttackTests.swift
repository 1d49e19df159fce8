import AuthCore
import AuthTesting
import Foundation
import Testing

@testable import IdentityToolkitService

@Suite struct CodeAttackTests {
  @Test func `attack 4: a change of address that waits is void once the password was reset`()
    async throws
  {
    try await withServer(.production) { home in
      let ada = try await home.person()
      let change = try await home.code(
        "VERIFY_AND_CHANGE_EMAIL", to: "eve@example.com",
        ["idToken": .string(ada.idToken), "newEmail": "eve@example.com"])
      home.clock.advance(seconds: 1)
      let reset = try await home.code("PASSWORD_RESET", to: ada.email)
      let done = try await home.post(
        "/v1/accounts:resetPassword",
        ["oobCode": .string(reset), "newPassword": "a new password"])
      #expect(done.status == 200)
      let page = try await home.call(
        "GET", "/__/auth/action?mode=verifyAndChangeEmail&oobCode=\(change)&apiKey=x")
      #expect(page.status == 400)
      #expect(
        try await home.post("/v1/accounts:resetPassword", ["oobCode": .string(change)]).status
          == 400)
      #expect(try await home.stored(ada.uid).email?.text == "ada@example.com")
    }
  }

  @Test func `attack 8: a code for one address or account proves nothing of another`() async throws
  {
    try await withServer(.production) { home in
      let ada = try await home.person()
      let bo = try await home.person("bo@example.com")
      let code = try await home.code("EMAIL_SIGNIN", to: ada.email)
      let stolen = try await home.post(
        "/v1/accounts:signInWithEmailLink",
        ["email": "bo@example.com", "oobCode": .string(code)])
      #expect(stolen.message?.hasPrefix("INVALID_EMAIL") == true)

      // The code of one account's enrolment is invalid for another account.
      let begun = try await home.post(
        "/v2/accounts/mfaEnrollment:start",
        ["idToken": .string(ada.idToken), "phoneEnrollmentInfo": ["phoneNumber": "+15555550100"]])
      let proof = try #require(home.messages.last(to: "+15555550100")).proof.reveal()
      let crossed = try await home.post(
        "/v2/accounts/mfaEnrollment:finalize",
        [
          "idToken": .string(bo.idToken),
          "phoneVerificationInfo": [
            "sessionInfo": try #require(begun.json["phoneSessionInfo"]?["sessionInfo"]),
            "code": .string(proof),
          ],
        ])
      #expect(crossed.status == 400)
      #expect(try await home.stored(bo.uid).secondFactors.isEmpty)
    }
  }

  @Test func `attack 8: a code that signs in enrols no second factor, nor the other way round`()
    async throws
  {
    try await withServer(.production) { home in
      let ada = try await home.person()
      let number = "+15555550100"
      let shown = try await home.phoneCode(number)
      let enrolling = try await home.post(
        "/v2/accounts/mfaEnrollment:finalize",
        [
          "idToken": .string(ada.idToken),
          "phoneVerificationInfo": [
            "sessionInfo": .string(shown.session), "code": .string(shown.code),
          ],
        ])
      #expect(enrolling.message == "INVALID_SESSION_INFO")
      let begun = try await home.post(
        "/v2/accounts/mfaEnrollment:start",
        ["idToken": .string(ada.idToken), "phoneEnrollmentInfo": ["phoneNumber": .string(number)]])
      let session = try #require(
        begun.json["phoneSessionInfo"]?["sessionInfo"]?.stringValue?.split(separator: ".").last)
      let code = try #require(home.messages.last(to: number)).proof.reveal()
      let entering = try await home.post(
        "/v1/accounts:signInWithPhoneNumber",
        ["sessionInfo": .string(String(session)), "code": .string(code)])
      #expect(entering.message == "INVALID_SESSION_INFO")
    }
  }

  @Test
  func `attack 9: the message names the requesting client, and the flow takes no other address`()
    async throws
  {
    try await withServer(.production) { home in
      let ada = try await home.person()
      let link = try await home.link(
        "VERIFY_AND_CHANGE_EMAIL", to: "new@example.com",
        ["idToken": .string(ada.idToken), "newEmail": "new@example.com"])
      let message = try #require(home.messages.last())
      #expect(message.requestedFrom == "127.0.0.1")
      #expect(message.concerning == "ada@example.com")
      let fields = parameters(of: link)
      let form = [
        (name: "mode", value: "verifyAndChangeEmail"),
        (name: "oobCode", value: fields["oobCode"] ?? ""),
        (name: "email", value: "eve@example.com"), (name: "newEmail", value: "eve@example.com"),
      ]
      let done = try await home.send(
        "POST", "/__/auth/action", Array(URLText.form(form).utf8),
        headers: ["Content-Type": "application/x-www-form-urlencoded"])
      #expect(done.status == 200, "\(done.text)")
      #expect(try await home.stored(ada.uid).email?.text == "new@example.com")
    }
  }

  @Test func `attack 9: a link whose address was changed meanwhile is void`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.person(verified: false)
      let code = try await home.code(
        "VERIFY_EMAIL", to: ada.email, ["idToken": .string(ada.idToken)])
      var changes = ProfileChanges()
      changes.email = .set(try EmailAddress("other@example.com"))
      _ = try await home.graph.update(AccountID(ada.uid), changes, by: home.admin)
      let page = try await home.send(
        "POST", "/__/auth/action", Array("mode=verifyEmail&oobCode=\(code)".utf8),
        headers: ["Content-Type": "application/x-www-form-urlencoded"])
      #expect(page.status == 400)
      #expect(try await home.stored(ada.uid).emailVerified == false)
    }
  }

  @Test(arguments: [
    "m\u{131}ke@example.com", "mi\u{212A}e@example.com", "\u{FF4D}ike@example.com",
    "mike@ex\u{FF41}mple.com\u{200B}",
  ])
  func `attack 22: an address that only looks like another gets no code of that one`(
    _ lookalike: String
  ) async throws {
    try await withServer(.production) { home in
      _ = try await home.person("mike@example.com")
      home.messages.removeAll()
      _ = try await home.post(
        "/v1/accounts:sendOobCode",
        ["requestType": "PASSWORD_RESET", "email": .string(lookalike)])
      #expect(home.messages.messages.isEmpty)
    }
  }

  @Test func `attack 22: a code goes to the address as the account has it`() async throws {
    try await withServer(.production) { home in
      _ = try await home.person("mike@example.com")
      _ = try await home.post(
        "/v1/accounts:sendOobCode",
        ["requestType": "PASSWORD_RESET", "email": "MIKE@EXAMPLE.COM"])
      #expect(home.messages.last()?.recipient == "mike@example.com")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `attack 30: forged host fields do not get into links`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let base = mode == .emulator ? "/emulator/action?" : "/__/auth/action?"
      for headers in [
        ["Host": "evil.example"], ["X-Forwarded-Host": "evil.example"],
        ["X-Forwarded-Proto": "https", "Forwarded": "host=evil.example"],
        ["X-Original-URL": "https://evil.example/", "Origin": "https://evil.example"],
      ] {
        let reply = try await home.call(
          "POST", "/v1/accounts:sendOobCode?key=test-key",
          ["requestType": "EMAIL_SIGNIN", "email": "ada@example.com"], headers: headers)
        #expect(reply.status == 200, "\(reply.text)")
        let link = try #require(home.messages.last()).proof.reveal()
        #expect(link.hasPrefix("http://localhost:9099" + base))
        #expect(!link.contains("evil"))
      }
    }
  }

  @Test func `attack 31: guesses are counted by account, over all clients`() async throws {
    try await withServer(.production) { home in
      let number = "+15555550100"
      var refused = 0
      for _ in 1...10 {
        let shown = try await home.phoneCode(number)
        let wrong = shown.code == "000000" ? "111111" : "000000"
        for _ in 1...6 {
          let reply = try await home.post(
            "/v1/accounts:signInWithPhoneNumber",
            ["sessionInfo": .string(shown.session), "code": .string(wrong)])
          if reply.message == "TOO_MANY_ATTEMPTS_TRY_LATER" { refused += 1 }
        }
      }
      // Twenty wrong guesses an hour at the codes of one number, whatever code they were for.
      #expect(refused == 40)
      #expect(
        try await home.post(
          "/v1/accounts:sendVerificationCode", ["phoneNumber": .string(number)]
        ).message == "TOO_MANY_ATTEMPTS_TRY_LATER")
    }
  }

  @Test func `attack 31: no other spelling of an address gets more codes`() async throws {
    try await withServer(.production) { home in
      _ = try await home.person()
      let spellings = ["ada@example.com", "ADA@example.com", "Ada@Example.com", "ada@EXAMPLE.com"]
      for index in 0..<30 {
        _ = try await home.post(
          "/v1/accounts:sendOobCode",
          [
            "requestType": "PASSWORD_RESET",
            "email": .string(spellings[index % spellings.count]),
          ])
      }
      #expect(home.messages.messages.count == 10)
    }
  }

  @Test func `attack 31: second factors are guessed a few times, over all sign-ins`() async throws {
    try await withServer(.production) { home in
      let ada = try await home.person()
      _ = try await home.enrollApp(ada.idToken)
      var tooMany = 0
      for _ in 1...20 {
        let pending = try await home.signIn(ada.email)
        guard case .array(let hints)? = pending.json["mfaInfo"] else { throw NoFactors() }
        let reply = try await home.post(
          "/v2/accounts/mfaSignIn:finalize",
          [
            "mfaPendingCredential": try #require(pending.json["mfaPendingCredential"]),
            "mfaEnrollmentId": try #require(hints[0]["mfaEnrollmentId"]),
            "totpVerificationInfo": ["verificationCode": "abcdef"],
          ])
        if reply.message == "TOO_MANY_ATTEMPTS_TRY_LATER" { tooMany += 1 }
      }
      #expect(tooMany == 10)
    }
  }
}
