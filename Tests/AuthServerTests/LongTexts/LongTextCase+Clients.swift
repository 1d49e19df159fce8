import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

/// The texts that any client may send.
extension LongTextCase {
  private static func update(_ field: String, _ prefix: String, _ refusal: String) -> LongTextCase {
    LongTextCase("anonymous session: \(field)", refusal) { home, text in
      let session = try await home.openAnonymously()
      return try await home.post(
        ServerHome.update,
        ["idToken": .string(session.idToken), field: .string(prefix + text)])
    }
  }

  static let clients =
    [
      update("displayName", "", "INVALID_DISPLAY_NAME"),
      update("photoUrl", "https://example.com/", "INVALID_PHOTO_URL"),
      LongTextCase("sign-up: displayName", "INVALID_DISPLAY_NAME") { home, text in
        try await home.post(
          ServerHome.signUp,
          [
            "email": "long@example.com", "password": "opensesame", "displayName": .string(text),
          ])
      },
      LongTextCase("sign-up of a session: displayName", "INVALID_DISPLAY_NAME") { home, text in
        let session = try await home.openAnonymously()
        return try await home.post(
          ServerHome.signUp,
          [
            "idToken": .string(session.idToken), "email": "more@example.com",
            "password": "opensesame", "displayName": .string(text),
          ])
      },
      LongTextCase("enrolment: displayName", "INVALID_DISPLAY_NAME") { home, text in
        let number = "+15555550177"
        let token = JSONValue.string(try await home.person("factor@example.com").idToken)
        let begun = try await home.post(
          "/v2/accounts/mfaEnrollment:start",
          ["idToken": token, "phoneEnrollmentInfo": ["phoneNumber": .string(number)]])
        return try await home.post(
          "/v2/accounts/mfaEnrollment:finalize",
          [
            "idToken": token, "displayName": .string(text),
            "phoneVerificationInfo": [
              "sessionInfo": try #require(begun.json["phoneSessionInfo"]?["sessionInfo"]),
              "code": .string(try #require(home.messages.last(to: number)).proof.reveal()),
            ],
          ])
      },
      LongTextCase("code: continueUrl", "INVALID_CONTINUE_URI") { home, text in
        try await home.post(
          "/v1/accounts:sendOobCode",
          [
            "requestType": "EMAIL_SIGNIN", "email": "ada@example.com",
            "continueUrl": .string("http://localhost/\(text)"),
          ])
      },
      LongTextCase("code: continueUrl in ASCII", "INVALID_CONTINUE_URI") { home, text in
        try await home.post(
          "/v1/accounts:sendOobCode",
          [
            "requestType": "EMAIL_SIGNIN", "email": "ada@example.com",
            "continueUrl": .string(
              "http://localhost/" + String(repeating: "x", count: text.utf8.count)),
          ])
      },
    ] + passkeys

  /// Fields that only the emulator has.
  private static let passkeys = [("name", nil), ("id", "INVALID_IDP_RESPONSE")].map {
    field, refusal in
    LongTextCase("passkey: \(field)", refusal, in: [.emulator]) { home, text in
      let session = try await home.person("\(field)@example.com")
      return try await home.post(
        "/v2/accounts/passkeyEnrollment:finalize",
        [
          "idToken": .string(session.idToken), "name": .string(field == "name" ? text : "key"),
          "authenticatorRegistrationResponse": ["id": .string(field == "id" ? text : "k1")],
        ])
    }
  }

  /// The claims of a vendor, which are not verified.
  static let vendors =
    ["name", "picture", "screen_name", "email"].map { claim in
      LongTextCase("vendor: \(claim)", nil) { home, text in
        try await home.vendorSignIn(["sub": .string("of \(claim)"), claim: .string(text)])
      }
    } + [
      LongTextCase("vendor: sub", "INVALID_IDP_RESPONSE") { home, text in
        try await home.vendorSignIn(["sub": .string(text)])
      },
      LongTextCase("vendor: link of a sub", "INVALID_IDP_RESPONSE") { home, text in
        let session = try await home.openAnonymously()
        return try await home.vendorSignIn(
          ["sub": .string(text)], ["idToken": .string(session.idToken)])
      },
      LongTextCase("SAML: attributes", "CLAIMS_TOO_LARGE", in: [.emulator]) { home, text in
        let response: JSONValue = [
          "assertion": [
            "subject": ["nameId": "ada@example.com"], "attributeStatements": ["a": .string(text)],
          ]
        ]
        let body =
          "id_token={\"sub\":\"s\"}&providerId=saml.work&SAMLResponse="
          + URLText.escaped(response.text)
        return try await home.post(
          "/v1/accounts:signInWithIdp",
          ["requestUri": "http://localhost", "postBody": .string(body)])
      },
    ]

  private static func custom(
    _ field: String, _ refusal: String,
    _ changes: @escaping @Sendable (String) -> [String: JSONValue?]
  ) -> LongTextCase {
    LongTextCase("custom token: \(field)", refusal) { home, text in
      // A valid token holds no more.
      let text = String(text.unicodeScalars.prefix(4000))
      let maker = TokenMaker()
      if home.mode == .production { try await maker.register(in: home) }
      let token =
        home.mode == .production
        ? try maker.token(home, changes(text)) : TokenMaker.unsigned(changes(text))
      return try await home.post(
        "/v1/accounts:signInWithCustomToken", ["token": .string(token)])
    }
  }

  static let customTokens = [
    custom("uid", "INVALID_CUSTOM_TOKEN") { ["uid": .string($0)] },
    custom("claims", "CLAIMS_TOO_LARGE") { ["uid": "ada", "claims": ["a": .string($0)]] },
  ]
}
