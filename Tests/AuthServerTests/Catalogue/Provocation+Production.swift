import AuthCore
import AuthTesting
import Foundation
import Testing

@testable import IdentityToolkitService

extension Provocation {
  /// The errors that the emulator never answers.
  static let production: [Provocation] = [
    Provocation(
      "API key not valid. Please pass a valid API key.", .production,
      configure: { $0.settings = { $0.apiKeys = ["another": ServerHome.project] } },
      { try await $0.post(ServerHome.signUp) }),
    Provocation("CREDENTIAL_MISMATCH", .production) { home in
      let maker = TokenMaker()
      try await maker.register(in: home)
      let token = try maker.token(home, ["uid": "ada", "iss": "server@another.example"])
      return try await home.post(
        "/v1/accounts:signInWithCustomToken", ["token": .string(token)])
    },
    Provocation("CREDENTIAL_TOO_OLD_LOGIN_AGAIN", .production) { home in
      let ada = try await home.openAccount()
      home.clock.advance(seconds: 3000)
      return try await home.post(
        ServerHome.update, ["idToken": .string(ada.idToken), "password": "another one"])
    },
    Provocation("EMAIL_CHANGE_NEEDS_VERIFICATION", .production) { home in
      try await home.setSettings { $0.signIn.hidesAccounts = false }
      let ada = try await home.person()
      let tokens = try await home.enroll("+15555550100", ada.idToken)
      return try await home.post(
        ServerHome.update,
        ["idToken": .string(try tokens.text("idToken")), "email": "new@example.com"])
    },
    Provocation("EXPIRED_OOB_CODE", .production) { home in
      _ = try await home.person()
      let code = try await home.code("PASSWORD_RESET", to: "ada@example.com")
      home.clock.advance(seconds: 4 * 24 * 3600)
      return try await home.post("/v1/accounts:resetPassword", ["oobCode": .string(code)])
    },
    Provocation("SESSION_EXPIRED", .production) { home in
      let (session, code) = try await home.phoneCode("+15555550100")
      home.clock.advance(seconds: 24 * 3600)
      return try await home.post(
        "/v1/accounts:signInWithPhoneNumber",
        ["sessionInfo": .string(session), "code": .string(code)])
    },
    Provocation("UNAUTHORIZED_DOMAIN", .production) { home in
      try await home.post(
        "/v1/accounts:sendOobCode",
        [
          "requestType": "EMAIL_SIGNIN", "email": "ada@example.com",
          "continueUrl": "https://another.example/", "canHandleCodeInApp": true,
        ])
    },
    Provocation("INVALID_NEW_EMAIL", .production) { home in
      let ada = try await home.person()
      return try await home.post(
        "/v1/accounts:sendOobCode",
        [
          "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": .string(ada.idToken),
          "newEmail": "nobody",
        ])
    },
    Provocation("INVALID_HOSTING_LINK_DOMAIN", .production) { home in
      try await home.post(
        "/v1/accounts:sendOobCode",
        [
          "requestType": "EMAIL_SIGNIN", "email": "ada@example.com",
          "continueUrl": "http://localhost/", "linkDomain": "another.example",
        ])
    },
    Provocation("INVALID_DYNAMIC_LINK_DOMAIN", .production) { home in
      try await home.post(
        "/v1/accounts:sendOobCode",
        [
          "requestType": "EMAIL_SIGNIN", "email": "ada@example.com",
          "continueUrl": "http://localhost/", "dynamicLinkDomain": "another.page.link",
        ])
    },
    Provocation(
      "INVALID_MFA_PENDING_CREDENTIAL", "/v2/accounts/mfaSignIn:start",
      ["mfaPendingCredential": "x", "mfaEnrollmentId": "x"], in: .production),
    Provocation("INVALID_OAUTH_CLIENT_ID", .production) {
      try await $0.call("GET", "/v1/projects?key=k&clientId=another")
    },
    Provocation("INVALID_PROVIDER_ID", .production) {
      try await $0.admin(
        "POST",
        "/v2/projects/\(ServerHome.project)/defaultSupportedIdpConfigs?idpId=never.example", [:])
    },
    Provocation("INVALID_PAGE_SELECTION", .production) {
      try await $0.admin("GET", "\($0.accountsPath):batchGet?nextPageToken=%25")
    },
    Provocation("INVALID_PENDING_TOKEN", .production) { home in
      let made = try await home.admin(
        "POST",
        "/v2/projects/\(ServerHome.project)/defaultSupportedIdpConfigs?idpId=google.com",
        ["enabled": true, "clientId": "shop", "clientSecret": "a secret"])
      #expect(made.status == 200, "\(made.text)")
      return try await home.post(
        "/v1/accounts:signInWithIdp",
        [
          "requestUri": "http://localhost", "postBody": "providerId=google.com",
          "pendingToken": "x",
        ])
    },
    Provocation("TENANT_NOT_FOUND", ServerHome.signUp, ["tenantId": "berlin"], in: .production),
    Provocation("PASSWORD_DOES_NOT_MEET_REQUIREMENTS", .production) { home in
      try await home.setSettings {
        $0.signIn.passwordPolicy.enforcement = .enforce
        $0.signIn.passwordPolicy.needsDigit = true
      }
      return try await home.post(
        ServerHome.signUp, ["email": "ada@example.com", "password": "opensesame"])
    },
    Provocation(
      "TOO_MANY_ATTEMPTS_TRY_LATER", .production,
      configure: {
        $0.servers = 1
        $0.settings = { $0.rateLimits.signUpsPerAddressAndHour = 1 }
      },
      { home in
        try await home.post(ServerHome.signUp)
        return try await home.post(ServerHome.signUp)
      }),
    Provocation("SECOND_FACTOR_LIMIT_EXCEEDED", .production) { home in
      let ada = try await home.person()
      var token = ada.idToken
      for last in 0..<5 {
        token = try await home.enroll("+1555555010\(last)", token).text("idToken")
      }
      return try await home.post(
        "/v2/accounts/mfaEnrollment:start",
        ["idToken": .string(token), "phoneEnrollmentInfo": ["phoneNumber": "+15555550109"]])
    },
    Provocation("MISSING_IOS_APP_TOKEN", "/v1/accounts:verifyIosClient", in: .production),
    Provocation(
      "INVALID_APP_CREDENTIAL", "/v1/accounts:verifyIosClient", ["appToken": "x"],
      in: .production),
  ]
}
