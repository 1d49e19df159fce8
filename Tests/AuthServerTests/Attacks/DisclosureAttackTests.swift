import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

/// Leaks to an outsider through answers, limits, messages, metrics and the log.
@Suite(.serialized) struct `Attacks by disclosure` {
  private func reset(_ home: ServerHome, _ email: String) async throws -> Reply {
    try await home.post(
      "/v1/accounts:sendOobCode", ["requestType": "PASSWORD_RESET", "email": .string(email)])
  }

  @Test func `attack 26: limits and failures do not reveal the receivers of messages`() async throws
  {
    try await withServer(.production) { home in
      _ = try await home.person()
      for failure in [nil, AuthError(.networkRequestFailed, "No mail today.")] {
        home.messages.fail(with: failure)
        for _ in 1...7 {
          let known = try await reset(home, "ada@example.com")
          let unknown = try await reset(home, "bob@example.com")
          #expect(known.status == unknown.status, "\(known.text) \(unknown.text)")
          #expect(known.text.replacing("ada@", with: "bob@") == unknown.text)
        }
      }
      #expect(try await reset(home, "bob@example.com").message == "TOO_MANY_ATTEMPTS_TRY_LATER")
    }
  }

  @Test func `attack 26: a hidden account's address is refused like a free one`() async throws {
    try await withServer(.production) { home in
      _ = try await home.person("bob@example.com")
      let ada = try await home.person()
      for email in ["bob@example.com", "new@example.com"] {
        for path in [ServerHome.signUp, ServerHome.update] {
          let reply = try await home.post(
            path,
            [
              "idToken": .string(ada.idToken), "email": .string(email),
              "password": "another one",
            ])
          #expect(reply.message?.hasPrefix("OPERATION_NOT_ALLOWED") == true, "\(reply.text)")
        }
      }
      #expect(try await home.stored(ada.uid).email?.text == "ada@example.com")
    }
  }

  @Test func `nothing that a request says becomes a metric`() async throws {
    try await withServer(.production) { home in
      for number in 1...50 {
        _ = try await home.post(
          ServerHome.signIn, .object(["ada\(number)@example.com": 1, "email": .string("x")]))
        _ = try await home.call("POST", "/v1/nowhere-\(number)?key=k", [:])
        _ = try await home.admin("GET", "/admin/v1/projects/p\(number)/accounts")
      }
      let metrics = try await home.call("GET", "/metrics")
      #expect(metrics.status == 200)
      #expect(!metrics.text.contains("example.com") && !metrics.text.contains("nowhere"))
      let errors = metrics.text.split(separator: "\n")
        .filter { $0.hasPrefix("authgraph_errors_total{") }
      #expect(errors.count < 6, "\(errors)")
    }
  }

  @Test func `no secret, address or number of a whole journey is in the log`() async throws {
    let log = LogLines()
    try await withServer(
      .production,
      configure: {
        $0.logger = log.logger
      }
    ) { home in
      var secrets = ["ada@example.com", "ada@", "Ada Lovelace", "opensesame", "second-secret"]
      func keep(_ reply: Reply, _ names: String...) {
        secrets += names.compactMap { reply.json[$0]?.stringValue }
      }
      let made = try await home.post(
        ServerHome.signUp,
        ["email": "ada@example.com", "password": "opensesame", "displayName": "Ada Lovelace"])
      keep(made, "idToken", "refreshToken")
      let ada = try SignedUp(made)
      keep(
        try await home.post(
          "/v1/token",
          ["grantType": "refresh_token", "refreshToken": .string(ada.refreshToken)]),
        "id_token", "refresh_token")
      _ = try await home.enter("ada@example.com", "not the secret")
      secrets.append("not the secret")
      let verify = try await home.code(
        "VERIFY_EMAIL", to: "ada@example.com", ["idToken": .string(ada.idToken)])
      _ = try await home.call("GET", "/__/auth/action?mode=verifyEmail&oobCode=\(verify)")
      _ = try await home.post(ServerHome.update, ["oobCode": .string(verify)])
      let phone = try await home.phoneCode("+15555550100")
      _ = try await home.post(
        "/v1/accounts:signInWithPhoneNumber",
        ["sessionInfo": .string(phone.session), "code": .string(phone.code)])
      let reset = try await home.code("PASSWORD_RESET", to: "ada@example.com")
      _ = try await home.post(
        "/v1/accounts:resetPassword",
        ["oobCode": .string(reset), "newPassword": "second-secret"])
      let owner = try SignedUp(try await home.enter("ada@example.com", "second-secret"))
      let (enrolled, secret) = try await home.enrollApp(owner.idToken)
      secrets += [verify, phone.session, phone.code, "+15555550100", reset, owner.idToken]
      secrets += [owner.refreshToken, ServerHome.adminToken, secret.reveal()]
      keep(enrolled, "idToken", "refreshToken")
      keep(try await home.enter("ada@example.com", "second-secret"), "mfaPendingCredential")
      // Failures are logged too.
      home.messages.fail(
        with: AuthError(.internalError, "Refused.", step: .exchange))
      _ = try await home.post(
        "/v1/accounts:sendOobCode",
        ["requestType": "PASSWORD_RESET", "email": "ada@example.com"])
      _ = try await home.post(
        "/v1/accounts:signInWithIdp",
        [
          "requestUri": "http://localhost",
          "postBody": "providerId=google.com&id_token=a-token-of-google",
        ])
      secrets.append("a-token-of-google")
      _ = try await home.post(ServerHome.signIn, ["ada@example.com": "opensesame"])
      _ = try await home.admin(
        "POST", "\(home.accountsPath):lookup", ["email": ["ada@example.com"]])
      _ = try await home.admin("GET", "\(home.adminRoot)/accounts?email=ada@example.com")

      #expect(log.all.count > 15)
      for secret in secrets where !secret.isEmpty {
        #expect(!log.all.contains { $0.contains(secret) }, "\(secret)")
      }
    }
  }
}
