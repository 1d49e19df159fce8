import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

/// An operation whose writes are made to fail, and its preparation.
struct FaultOperation: Sendable, CustomTestStringConvertible {
  typealias Prepare = @Sendable (ServerHome) async throws -> JSONValue
  typealias Run = @Sendable (ServerHome, JSONValue) async throws -> Reply

  let testDescription: String
  let modes: [ServerMode]
  /// True if a credential that it uses up may be gone after a fault, so that a second request is refused.
  let isOnce: Bool
  let prepare: Prepare
  let run: Run

  init(
    _ name: String, in modes: [ServerMode] = ServerMode.allCases, isOnce: Bool = false,
    prepare: @escaping Prepare = { _ in .null }, run: @escaping Run
  ) {
    testDescription = name
    (self.modes, self.isOnce, self.prepare, self.run) = (modes, isOnce, prepare, run)
  }

  /// The same operation in each of its modes.
  static let cases: [(operation: FaultOperation, mode: ServerMode)] =
    (accounts + linking + secondFactors + administration).flatMap { operation in
      operation.modes.map { (operation, $0) }
    }
}

/// Steps that several operations share.
extension ServerHome {
  static let ada = "ada@example.com"

  fileprivate func opened(_ email: String = Self.ada) async throws -> JSONValue {
    try await openAccount(email).session
  }

  fileprivate func google(_ more: [String: JSONValue] = [:]) async throws -> Reply {
    // Production's fake vendor takes the claims under a name of its own.
    let field = mode == .emulator ? "id_token" : "emulated"
    let claims = """
      {"sub":"g1","email":"ada@example.com","email_verified":true,"emailVerified":true}
      """
    let assertion = "\(field)=\(claims)&providerId=google.com"
    var body = more
    body["requestUri"] = "http://localhost"
    body["postBody"] = .string(assertion)
    return try await post("/v1/accounts:signInWithIdp", .object(body))
  }

  fileprivate func rename(_ session: JSONValue, _ changes: [String: JSONValue]) async throws
    -> Reply
  {
    var body = changes
    body["idToken"] = session["idToken"]
    return try await post(Self.update, .object(body))
  }
}

extension FaultOperation {
  static let accounts = [
    FaultOperation("sign-up") { home, _ in
      try await home.post(
        ServerHome.signUp, ["email": .string(ServerHome.ada), "password": "opensesame"])
    },
    FaultOperation("anonymous sign-up") { home, _ in try await home.post(ServerHome.signUp) },
    FaultOperation("sign-in with a password", prepare: { try await $0.opened() }) { home, _ in
      try await home.enter(ServerHome.ada, "opensesame")
    },
    FaultOperation("change of password", prepare: { try await $0.opened() }) { home, session in
      try await home.rename(session, ["password": "opensesame2"])
    },
    FaultOperation("deletion", isOnce: true, prepare: { try await $0.opened() }) { home, session in
      try await home.post("/v1/accounts:delete", session)
    },
    FaultOperation("code by e-mail", prepare: { try await $0.opened() }) { home, _ in
      try await home.post(
        "/v1/accounts:sendOobCode",
        ["requestType": "PASSWORD_RESET", "email": .string(ServerHome.ada)])
    },
    FaultOperation(
      "reset of a password", isOnce: true,
      prepare: { home in
        _ = try await home.opened()
        let code = try await home.code("PASSWORD_RESET", to: ServerHome.ada)
        return ["oobCode": .string(code), "newPassword": "opensesame3"]
      }
    ) { home, body in try await home.post("/v1/accounts:resetPassword", body) },
    FaultOperation(
      "sign-in by a link", isOnce: true,
      prepare: { home in
        let code = try await home.code("EMAIL_SIGNIN", to: ServerHome.ada)
        return ["oobCode": .string(code), "email": .string(ServerHome.ada)]
      }
    ) { home, body in try await home.post("/v1/accounts:signInWithEmailLink", body) },
    FaultOperation("code by phone") { home, _ in
      try await home.post(
        "/v1/accounts:sendVerificationCode", ["phoneNumber": "+15555550100"])
    },
    FaultOperation(
      "sign-in by phone", isOnce: true,
      prepare: { home in
        let (session, code) = try await home.phoneCode("+15555550100")
        return ["sessionInfo": .string(session), "code": .string(code)]
      }
    ) { home, body in try await home.post("/v1/accounts:signInWithPhoneNumber", body) },
    FaultOperation(
      "link of a phone", isOnce: true,
      prepare: { home in
        let session = try await home.opened()
        let (info, code) = try await home.phoneCode("+15555550100")
        return [
          "sessionInfo": .string(info), "code": .string(code),
          "idToken": session["idToken"] ?? .null,
        ]
      }
    ) { home, body in try await home.post("/v1/accounts:signInWithPhoneNumber", body) },
    FaultOperation(
      "custom token",
      prepare: { home in
        let maker = TokenMaker()
        try await maker.register(in: home)
        return ["token": .string(try maker.token(home))]
      }
    ) { home, body in try await home.post("/v1/accounts:signInWithCustomToken", body) },
  ]

  static let linking = [
    FaultOperation("sign-in with a vendor") { home, _ in
      try await home.google()
    },
    FaultOperation("take-over", prepare: { try await $0.opened() }) { home, _ in
      try await home.google()
    },
    FaultOperation(
      "link", prepare: { try await $0.opened("grace@example.com") }
    ) { home, session in try await home.google(["idToken": session["idToken"] ?? .null]) },
    FaultOperation(
      "link of a password", isOnce: true,
      prepare: { try await $0.openAnonymously().session }
    ) { home, session in
      try await home.post(
        ServerHome.signUp,
        [
          "email": .string(ServerHome.ada), "password": "opensesame",
          "idToken": session["idToken"] ?? .null,
        ])
    },
    FaultOperation(
      "unlink",
      prepare: { home in
        let session = try await home.opened()
        _ = try await home.google(["idToken": session["idToken"] ?? .null])
        return session
      }
    ) { home, session in try await home.rename(session, ["deleteProvider": ["google.com"]]) },
    FaultOperation(
      "unlink of the last password", in: [.emulator], isOnce: true,
      prepare: { try await $0.opened() }
    ) { home, session in try await home.rename(session, ["deleteProvider": ["password"]]) },
    FaultOperation(
      "merge while linking", isOnce: true,
      prepare: { home in
        let policy = PolicySource(
          name: "join",
          text: """
            return policy {
              name = "join", on = { "credential-already-in-use" },
              decide = function(c) return merge { into = c.current, from = c.existing } end,
            }
            """)
        try await home.change { $0.mergePolicy = policy }
        _ = try await home.google()
        return try await home.opened("grace@example.com")
      }
    ) { home, session in try await home.google(["idToken": session["idToken"] ?? .null]) },
  ]

  private static let number = "+15555550199"

  static let secondFactors = [
    FaultOperation(
      "begin of an enrolment", prepare: { ["idToken": .string(try await $0.person().idToken)] }
    ) { home, session in
      try await home.post(
        "/v2/accounts/mfaEnrollment:start",
        [
          "idToken": session["idToken"] ?? .null,
          "phoneEnrollmentInfo": ["phoneNumber": .string(number)],
        ])
    },
    FaultOperation(
      "enrolment", isOnce: true,
      prepare: { home in
        let token = JSONValue.string(try await home.person().idToken)
        let begun = try await home.post(
          "/v2/accounts/mfaEnrollment:start",
          ["idToken": token, "phoneEnrollmentInfo": ["phoneNumber": .string(number)]])
        return [
          "idToken": token,
          "phoneVerificationInfo": [
            "sessionInfo": try #require(begun.json["phoneSessionInfo"]?["sessionInfo"]),
            "code": .string(try #require(home.messages.last(to: number)).proof.reveal()),
          ],
        ]
      }
    ) { home, body in try await home.post("/v2/accounts/mfaEnrollment:finalize", body) },
    FaultOperation(
      "question for a second factor",
      prepare: { home in
        _ = try await home.enroll(number, try await home.person().idToken)
        return .null
      }
    ) { home, _ in try await home.signIn(ServerHome.ada) },
    FaultOperation(
      "sign-in with a second factor", isOnce: true,
      prepare: { home in
        _ = try await home.enroll(number, try await home.person().idToken)
        let pending = try await home.signIn(ServerHome.ada)
        let credential = try #require(pending.json["mfaPendingCredential"])
        let begun = try await home.post(
          "/v2/accounts/mfaSignIn:start",
          [
            "mfaPendingCredential": credential,
            "mfaEnrollmentId": pending.json["mfaInfo"]?.items.first?["mfaEnrollmentId"] ?? .null,
            "phoneSignInInfo": ["phoneNumber": "+*******0199"],
          ])
        return [
          "mfaPendingCredential": credential,
          "phoneVerificationInfo": [
            "sessionInfo": try #require(begun.json["phoneResponseInfo"]?["sessionInfo"]),
            "code": .string(try #require(home.messages.last(to: number)).proof.reveal()),
          ],
        ]
      }
    ) { home, body in try await home.post("/v2/accounts/mfaSignIn:finalize", body) },
    FaultOperation(
      "withdrawal of a second factor", isOnce: true,
      prepare: { home in
        let done = try await home.enroll(number, try await home.person().idToken)
        let token = try done.text("idToken")
        let user = try await home.lookUp(token)
        return [
          "idToken": .string(token),
          "mfaEnrollmentId": user["mfaInfo"]?.items.first?["mfaEnrollmentId"] ?? .null,
        ]
      }
    ) { home, body in try await home.post("/v2/accounts/mfaEnrollment:withdraw", body) },
  ]

  static let administration = [
    FaultOperation("import") { home, _ in
      try await home.upload(
        [["localId": "u1", "email": "a@example.com"], ["localId": "u2"]],
        ["allowOverwrite": true])
    },
    FaultOperation(
      "deletion of many", isOnce: true,
      prepare: { home in
        for uid in ["u1", "u2"] { try await home.makeAccount(uid) }
        return .null
      }
    ) { home, _ in
      try await home.admin(
        "POST", "\(home.accountsPath):batchDelete", ["localIds": ["u1", "u2"], "force": true])
    },
    FaultOperation(
      "an admin's link", isOnce: true,
      prepare: { home in
        try await home.makeAccount("u1", email: ServerHome.ada)
        return .null
      }
    ) { home, _ in
      try await home.adminUpdate(
        "u1", ["linkProviderUserInfo": ["providerId": "github.com", "rawId": "583231"]])
    },
    FaultOperation(
      "an admin's unlink", isOnce: true,
      prepare: { home in
        let uid = try await home.openAccount().uid
        let linked = try await home.adminUpdate(
          uid, ["linkProviderUserInfo": ["providerId": "github.com", "rawId": "583231"]])
        try #require(linked.status == 200, "\(linked.text)")
        return .string(uid)
      }
    ) { home, uid in
      try await home.adminUpdate(uid.stringValue ?? "", ["deleteProvider": ["github.com"]])
    },
    FaultOperation("session cookie", in: [.production], prepare: { try await $0.opened() }) {
      home, session in
      try await home.admin(
        "POST", "/v1/projects/\(ServerHome.project):createSessionCookie",
        ["idToken": session["idToken"] ?? .null, "validDuration": 300])
    },
    FaultOperation("new tenant") { home, _ in
      try await home.admin("POST", home.tenantsPath, ["displayName": "berlin"])
    },
    FaultOperation(
      "end of a tenant", isOnce: true,
      prepare: { home in
        let made = try await home.admin("POST", home.tenantsPath, ["displayName": "berlin"])
        return made.json["name"] ?? .null
      }
    ) { home, name in try await home.admin("DELETE", "/v2/\(name.stringValue ?? "")") },
    FaultOperation("settings of the project") { home, _ in
      try await home.admin(
        "PATCH", "\(home.configPath)?updateMask=signIn.anonymous.enabled",
        ["signIn": ["anonymous": ["enabled": true]]])
    },
  ]
}
