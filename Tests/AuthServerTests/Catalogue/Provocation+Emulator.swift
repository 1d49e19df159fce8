import AuthCore
import AuthTesting
import Foundation
import Testing

@testable import IdentityToolkitService

extension Provocation {
  static let emulator: [Provocation] =
    accounts + customClaims + admins + tokens + federated + messages + secondFactors + passkeys
    + batches + scopes

  private static let accounts: [Provocation] = [
    Provocation("EMAIL_EXISTS") { home in
      _ = try await home.openAccount()
      return try await home.post(
        ServerHome.signUp, ["email": "ada@example.com", "password": "opensesame"])
    },
    Provocation("EMAIL_NOT_FOUND") { try await $0.enter("eve@example.com", "opensesame") },
    Provocation("INVALID_PASSWORD") { home in
      _ = try await home.openAccount()
      return try await home.enter("ada@example.com", "wrong one")
    },
    Provocation("INVALID_LOGIN_CREDENTIALS") { home in
      try await home.touch()
      try await home.setSettings { $0.signIn.hidesAccounts = true }
      return try await home.enter("eve@example.com", "opensesame")
    },
    Provocation("USER_DISABLED") { home in
      let ada = try await home.openAccount()
      try await home.adminUpdate(ada.uid, ["disableUser": true])
      return try await home.enter("ada@example.com", "opensesame")
    },
    Provocation("USER_NOT_FOUND") { home in
      let ada = try await home.openAccount()
      try await home.post("/v1/accounts:delete", ada.session)
      return try await home.post("/v1/accounts:lookup", ada.session)
    },
    Provocation("TOKEN_EXPIRED") { home in
      let ada = try await home.openAccount()
      let later = home.clock.now.milliseconds / 1000 + 60
      try await home.adminUpdate(ada.uid, ["validSince": .string(String(later))])
      return try await home.post("/v1/accounts:lookup", ada.session)
    },
    Provocation("INVALID_ID_TOKEN", "/v1/accounts:lookup", ["idToken": "no token"]),
    Provocation("MISSING_ID_TOKEN", "/v1/accounts:lookup"),
    Provocation("MISSING_EMAIL", ServerHome.signIn, ["password": "opensesame"]),
    Provocation("INVALID_EMAIL", ServerHome.signIn, ["email": "ada", "password": "opensesame"]),
    Provocation("MISSING_PASSWORD", ServerHome.signIn, ["email": "a@b.c", "password": ""]),
    Provocation("WEAK_PASSWORD", ServerHome.signUp, ["email": "a@b.c", "password": "short"]),
    Provocation("UNEXPECTED_PARAMETER", ServerHome.signUp, ["localId": "me"]),
    Provocation("INVALID_REQ_TYPE", ServerHome.update),
    Provocation("MISSING_LOCAL_ID") {
      try await $0.admin("POST", "\($0.accountsPath):update", [:])
    },
  ]

  private static let customClaims: [Provocation] = [
    claims("CLAIMS_TOO_LARGE", "{" + String(repeating: " ", count: 1000) + "}"),
    claims("INVALID_CLAIMS", "[]"), claims("FORBIDDEN_CLAIM", "{\"iss\":\"me\"}"),
  ]

  private static let admins: [Provocation] = [
    Provocation("MISSING_PROVIDER_ID") { home in
      try await home.makeAccount("ada")
      return try await home.adminUpdate("ada", ["linkProviderUserInfo": ["rawId": "1"]])
    },
    Provocation("MISSING_RAW_ID") { home in
      try await home.makeAccount("ada")
      return try await home.adminUpdate(
        "ada", ["linkProviderUserInfo": ["providerId": "google.com"]])
    },
    Provocation("PHONE_NUMBER_EXISTS") { home in
      try await home.makeAccount("ada", phone: "+15555550100")
      try await home.makeAccount("eve")
      return try await home.adminUpdate("eve", ["phoneNumber": "+15555550100"])
    },
  ]

  private static let tokens: [Provocation] = [
    Provocation("MISSING_CUSTOM_TOKEN", "/v1/accounts:signInWithCustomToken"),
    Provocation(
      "INVALID_CUSTOM_TOKEN", "/v1/accounts:signInWithCustomToken", ["token": "no token"]),
    Provocation("MISSING_IDENTIFIER", "/v1/accounts:createAuthUri"),
    Provocation("MISSING_CONTINUE_URI", "/v1/accounts:createAuthUri", ["identifier": "a@b.c"]),
    Provocation(
      "INVALID_IDENTIFIER", "/v1/accounts:createAuthUri",
      ["identifier": "ada", "continueUri": "http://localhost"]),
    Provocation(
      "INVALID_CONTINUE_URI", "/v1/accounts:createAuthUri",
      ["identifier": "a@b.c", "continueUri": "nowhere"]),
    Provocation("MISSING_GRANT_TYPE", "/v1/token"),
    Provocation("INVALID_GRANT_TYPE", "/v1/token", ["grantType": "password"]),
    Provocation("MISSING_REFRESH_TOKEN", "/v1/token", ["grantType": "refresh_token"]),
    Provocation(
      "INVALID_REFRESH_TOKEN", "/v1/token",
      ["grantType": "refresh_token", "refreshToken": "no token"]),
    Provocation("BLOCKING_FUNCTION_ERROR_RESPONSE") { home in
      let script = "return hooks { before_create = function(event) return refuse 'no' end }"
      let used = try await home.admin(
        "PUT", "\(home.adminRoot)/hooks", ["name": "hooks.lua", "text": .string(script)])
      #expect(used.status == 200, "\(used.text)")
      return try await home.post(
        ServerHome.signUp, ["email": "ada@example.com", "password": "opensesame"])
    },
  ]

  private static func claims(_ code: String, _ text: String) -> Provocation {
    Provocation(code) { home in
      try await home.makeAccount("ada")
      return try await home.adminUpdate("ada", ["customAttributes": .string(text)])
    }
  }

  private static let idp = "/v1/accounts:signInWithIdp"

  private static func google(_ claims: String, _ more: [String: JSONValue] = [:]) -> JSONValue {
    let token = claims.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let fields: [String: JSONValue] = [
      "requestUri": "http://localhost",
      "postBody": .string("providerId=google.com&id_token=\(token)"),
    ]
    return .object(fields.merging(more) { $1 })
  }

  private static let federated: [Provocation] = [
    Provocation("MISSING_REQUEST_URI", idp),
    Provocation("INVALID_REQUEST_URI", idp, ["requestUri": "nowhere"]),
    Provocation("INVALID_CREDENTIAL_OR_PROVIDER_ID", idp, ["requestUri": "http://localhost"]),
    Provocation("INVALID_IDP_RESPONSE", idp, google("{}")),
    Provocation("FEDERATED_USER_ID_ALREADY_LINKED") { home in
      try await home.post(idp, google("{\"sub\":\"1\"}"))
      let ada = try await home.openAnonymously()
      return try await home.post(idp, google("{\"sub\":\"1\"}", ["idToken": .string(ada.idToken)]))
    },
  ]

  private static let sendOob = "/v1/accounts:sendOobCode"
  private static let phone = "/v1/accounts:signInWithPhoneNumber"

  private static let messages: [Provocation] = [
    Provocation("MISSING_REQ_TYPE", sendOob),
    Provocation("MISSING_NEW_EMAIL", sendOob, ["requestType": "VERIFY_AND_CHANGE_EMAIL"]),
    Provocation("MISSING_OOB_CODE", "/v1/accounts:resetPassword"),
    Provocation("INVALID_OOB_CODE", "/v1/accounts:resetPassword", ["oobCode": "x"]),
    Provocation(
      "INVALID_PHONE_NUMBER", "/v1/accounts:sendVerificationCode", ["phoneNumber": "555"]),
    Provocation("MISSING_SESSION_INFO", phone, ["code": "123456"]),
    Provocation("MISSING_CODE", phone, ["sessionInfo": "x"]),
    Provocation("INVALID_SESSION_INFO", phone, ["sessionInfo": "x", "code": "123456"]),
    Provocation("INVALID_CODE") { home in
      let (session, code) = try await home.phoneCode("+15555550100")
      return try await home.post(
        phone,
        ["sessionInfo": .string(session), "code": code == "123456" ? "123457" : "123456"])
    },
    Provocation("MISSING_PHONE_NUMBER", phone, ["temporaryProof": "x"]),
    Provocation(
      "INVALID_TEMPORARY_PROOF", phone, ["temporaryProof": "x", "phoneNumber": "+15555550100"]),
    Provocation(
      "INSUFFICIENT_PERMISSION", sendOob,
      ["requestType": "EMAIL_SIGNIN", "email": "a@b.c", "returnOobLink": true]),
  ]

  private static func factors(_ code: String, _ enrollments: JSONValue) -> Provocation {
    Provocation(code) { home in
      try await home.makeAccount("ada", email: "ada@example.com")
      return try await home.adminUpdate("ada", ["mfa": ["enrollments": enrollments]])
    }
  }

  private static func enrolling(_ code: String, _ more: [String: JSONValue]) -> Provocation {
    Provocation(code) { home in
      let ada = try await home.person()
      return try await home.post(
        "/v2/accounts/mfaEnrollment:start",
        .object(more.merging(["idToken": .string(ada.idToken)]) { $1 }))
    }
  }

  private static let secondFactors: [Provocation] = [
    enrolling("INVALID_ARGUMENT", [:]),
    Provocation("SECOND_FACTOR_EXISTS") { home in
      let ada = try await home.person()
      let tokens = try await home.enroll("+15555550100", ada.idToken)
      return try await home.post(
        "/v2/accounts/mfaEnrollment:start",
        [
          "idToken": .string(try tokens.text("idToken")),
          "phoneEnrollmentInfo": ["phoneNumber": "+15555550100"],
        ])
    },
    Provocation("UNVERIFIED_EMAIL") { home in
      let ada = try await home.openAccount()
      return try await home.post(
        "/v2/accounts/mfaEnrollment:start",
        ["idToken": .string(ada.idToken), "phoneEnrollmentInfo": ["phoneNumber": "+15555550100"]])
    },
    Provocation("UNSUPPORTED_FIRST_FACTOR") { home in
      let ada = try await home.openAnonymously()
      return try await home.post(
        "/v2/accounts/mfaEnrollment:start",
        ["idToken": .string(ada.idToken), "phoneEnrollmentInfo": ["phoneNumber": "+15555550100"]])
    },
    Provocation("MFA_ENROLLMENT_NOT_FOUND") { home in
      let ada = try await home.person()
      return try await home.post(
        "/v2/accounts/mfaEnrollment:withdraw",
        ["idToken": .string(ada.idToken), "mfaEnrollmentId": "x"])
    },
    Provocation("MISSING_MFA_PENDING_CREDENTIAL", "/v2/accounts/mfaSignIn:start"),
    Provocation(
      "MISSING_MFA_ENROLLMENT_ID", "/v2/accounts/mfaSignIn:start", ["mfaPendingCredential": "x"]),
    Provocation("INVALID_PROJECT_ID") { home in
      let pending: JSONValue = [
        "_AuthEmulatorMfaPendingCredential": "DO NOT MODIFY", "localId": "ada",
        "signInProvider": "password", "projectId": "another", "session": "x",
      ]
      return try await home.post(
        "/v2/accounts/mfaSignIn:start",
        [
          "mfaPendingCredential": .string(Data(pending.text.utf8).base64EncodedString()),
          "mfaEnrollmentId": "x",
        ])
    },
    Provocation("MISSING_CREDENTIAL", "/v2/accounts/mfaSignIn:finalize"),
    factors("INVALID_MFA_PHONE_NUMBER", [["mfaEnrollmentId": "1", "phoneInfo": "555"]]),
    factors("INVALID_MFA_ENROLLMENT_ID", [["phoneInfo": "+15555550100"]]),
    factors(
      "DUPLICATE_MFA_ENROLLMENT_ID",
      [
        ["mfaEnrollmentId": "1", "phoneInfo": "+15555550100"],
        ["mfaEnrollmentId": "1", "phoneInfo": "+15555550101"],
      ]),
  ]

  private static func passkey(_ more: [String: JSONValue])
    -> @Sendable (ServerHome) async throws
    -> Reply
  {
    { home in
      let ada = try await home.openAnonymously()
      return try await home.post(
        "/v2/accounts/passkeyEnrollment:finalize",
        .object(more.merging(["idToken": .string(ada.idToken)]) { $1 }))
    }
  }

  private static let passkeys: [Provocation] = [
    Provocation("MISSING_AUTHENTICATOR_RESPONSE", "/v2/accounts/passkeySignIn:finalize"),
    Provocation(
      "PASSKEY_CREDENTIAL_NOT_FOUND", "/v2/accounts/passkeySignIn:finalize",
      ["authenticatorAuthenticationResponse": ["id": "x"]]),
    Provocation("INVALID_CREDENTIAL_ID") {
      try await passkey(["authenticatorRegistrationResponse": [:]])($0)
    },
    Provocation("CREDENTIAL_ALREADY_IN_USE") { home in
      let ask = passkey(["authenticatorRegistrationResponse": ["id": "key"]])
      _ = try await ask(home)
      return try await ask(home)
    },
  ]

  private static func uploading(_ code: String, _ users: [JSONValue]) -> Provocation {
    Provocation(code) { try await $0.upload(users, ["sanityCheck": true]) }
  }

  private static let batches: [Provocation] = [
    uploading("MISSING_USER_ACCOUNT", []),
    uploading(
      "DUPLICATE_EMAIL",
      [["localId": "1", "email": "a@b.c"], ["localId": "2", "email": "a@b.c"]]),
    uploading("DUPLICATE_LOCAL_ID", [["localId": "1"], ["localId": "1"]]),
    uploading(
      "DUPLICATE_RAW_ID",
      ["1", "2"].map {
        [
          "localId": .string($0),
          "providerUserInfo": [["providerId": "google.com", "rawId": "123"]],
        ]
      }),
    Provocation("LOCAL_ID_LIST_EXCEEDS_LIMIT") {
      try await $0.admin("POST", "\($0.accountsPath):batchDelete", ["localIds": []])
    },
    Provocation("NOT_DISABLED") { home in
      try await home.makeAccount("ada")
      return try await home.admin(
        "POST", "\(home.accountsPath):batchDelete", ["localIds": ["ada"]])
    },
    Provocation("INVALID_DURATION") { home in
      let ada = try await home.openAccount()
      return try await home.admin(
        "POST", "/v1/projects/\(ServerHome.project):createSessionCookie",
        ["idToken": .string(ada.idToken), "validDuration": 1])
    },
    Provocation("INVALID_BLOCKING_FUNCTION") {
      try await $0.admin(
        "PATCH", $0.configPath,
        ["blockingFunctions": ["triggers": ["never": ["functionUri": "http://localhost"]]]])
    },
  ]

  /// Makes a tenant, and sends a request as one of its clients.
  private static func tenant(
    _ code: String, settings: JSONValue = [:], _ path: String, _ body: [String: JSONValue] = [:]
  ) -> Provocation {
    Provocation(code) { home in
      let made = try await home.admin("POST", home.tenantsPath, settings)
      var body = body
      body["tenantId"] = .string(try made.text("tenantId"))
      return try await home.post(path, .object(body))
    }
  }

  private static let scopes: [Provocation] = [
    tenant("ADMIN_ONLY_OPERATION", ServerHome.signUp),
    tenant(
      "OPERATION_NOT_ALLOWED", ServerHome.signUp,
      ["email": "a@b.c", "password": "opensesame"]),
    tenant(
      "PASSWORD_LOGIN_DISABLED", ServerHome.signIn,
      ["email": "a@b.c", "password": "opensesame"]),
    tenant("PROJECT_DISABLED", settings: ["disableAuth": true], ServerHome.signUp),
    tenant(
      "UNSUPPORTED_TENANT_OPERATION", "/v1/accounts:sendVerificationCode",
      ["phoneNumber": "+15555550100"]),
    Provocation("TENANT_ID_MISMATCH") {
      try await $0.admin("POST", "\($0.tenantPath)/accounts", ["tenantId": "other"])
    },
  ]
}

extension ServerHome {
  fileprivate var tenantPath: String { "/v1/projects/\(Self.project)/tenants/berlin" }
}
