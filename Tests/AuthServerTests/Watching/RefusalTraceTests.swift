import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import Testing

@testable import IdentityToolkitService

@Suite struct `Refusals explain themselves over HTTP` {
  private static let email = "ada@example.com"
  private static let password = "opensesame"
  private static let number = "+15555550100"

  @Test func `a first factor: the check that failed, and no secret`() async throws {
    try await withExplanations { home, explained in
      _ = try await home.server.openAccount()
      let wrong = try await home.server.enter(Self.email, "wrong-one-77")
      try await explained.expect(
        wrong, .signIn, rule: "credential", result: "refused: The password is not the account's.",
        inputs: ["provider": "password"], hiding: ["wrong-one-77"])
      let unknown = try await home.server.enter("bo@example.com", "wrong-one-77")
      #expect(unknown.message == wrong.message, "a client cannot tell")
      try await explained.expect(
        unknown, .signIn, rule: "credential",
        result: "refused: No account has a password for this address.",
        hiding: ["wrong-one-77"])

      for (hostile, field, says) in [
        (HostileToken.expired, "exp", "The ID token has expired."),
        (.wrongAudience, "aud", "The ID token is for another client."),
        (.wrongIssuer, "iss", "The ID token is not from an issuer that is trusted."),
      ] {
        let token = try home.google.idToken(for: .ada, hostile: hostile)
        let reply = try await home.signIn(postBody: "providerId=google.com&id_token=\(token)")
        try await explained.expect(
          reply, .signIn, rule: "credential", result: "refused: \(says)",
          inputs: ["provider": "google.com", "step": "token", "field": field], hiding: [token])
      }
      let token = try home.google.idToken(for: .ada, nonce: "the-one-nonce")
      try await explained.expect(
        home.signIn(postBody: "providerId=google.com&id_token=\(token)&nonce=another-nonce"),
        .signIn, rule: "credential", result: nil, inputs: ["step": "token", "field": "nonce"],
        hiding: [token, "another-nonce", "the-one-nonce"])
      let access = home.google.accessToken(for: .ada, clientID: "another-app")
      try await explained.expect(
        home.signIn(postBody: "providerId=google.com&access_token=\(access)"),
        .signIn, rule: "credential", result: nil, inputs: ["step": "token"], hiding: [access])
    }
  }

  @Test func `a credential that was used before, and a provider that is closed`() async throws {
    try await withExplanations { home, explained in
      let body = try home.postBody(.google, .ada)
      #expect(try await home.signIn(postBody: body).status == 200)
      // For twenty minutes at most, the client that used it may repeat it.
      home.server.clock.advance(seconds: 1201)
      try await explained.expect(
        home.signIn(postBody: body), .signIn, rule: "one-time use", result: "it was used before",
        hiding: [body])

      let path = "/v1/accounts:signInWithPhoneNumber"
      let sent = try await home.server.phoneCode(Self.number)
      let other = sent.code == "123456" ? "654321" : "123456"
      try await explained.expect(
        home.server.post(
          path, ["sessionInfo": .string(sent.session), "code": .string(other)]),
        .signIn, rule: "credential", result: "refused: The code is wrong.",
        inputs: ["provider": "phone", "field": "verificationCode"],
        hiding: [sent.session, sent.code, other])
      let shown: JSONValue = ["sessionInfo": .string(sent.session), "code": .string(sent.code)]
      #expect(try await home.server.post(path, shown).status == 200)
      try await explained.expect(
        home.server.post(path, shown), .signIn, rule: "credential",
        result: "refused: The code was used before.", hiding: [sent.session, sent.code])

      _ = try await home.server.person("grace@example.com")
      let code = try await home.server.code("PASSWORD_RESET", to: "grace@example.com")
      let reset: JSONValue = ["oobCode": .string(code), "newPassword": "a-new-secret-5"]
      #expect(try await home.server.post("/v1/accounts:resetPassword", reset).status == 200)
      try await explained.expect(
        home.server.post("/v1/accounts:resetPassword", reset), .useActionCode, rule: "action code",
        result: "refused: The code was used before.",
        inputs: ["step": "credential", "field": "oobCode"],
        hiding: [code, "a-new-secret-5"])

      try await home.settings { $0.signIn.closedProviders = [.google] }
      try await explained.expect(
        home.signIn(.google, .bo), .signIn, rule: "credential",
        result: "refused: Signing in with google.com is closed.",
        inputs: ["provider": "google.com", "step": "decision"])
    }
  }

  @Test func `a second factor, and an enrolment`() async throws {
    try await withExplanations { home, explained in
      let grace = try await home.server.person("grace@example.com")
      let begun = try await home.server.post(
        "/v2/accounts/mfaEnrollment:start",
        [
          "idToken": .string(grace.idToken),
          "phoneEnrollmentInfo": ["phoneNumber": .string(Self.number)],
        ])
      let right = try #require(home.server.messages.last(to: Self.number)).proof.reveal()
      let wrong = right == "123456" ? "654321" : "123456"
      try await explained.expect(
        home.server.post(
          "/v2/accounts/mfaEnrollment:finalize",
          [
            "idToken": .string(grace.idToken),
            "phoneVerificationInfo": [
              "sessionInfo": try #require(begun.json["phoneSessionInfo"]?["sessionInfo"]),
              "code": .string(wrong),
            ],
          ]), .enroll, rule: "second factor", result: "refused: The code is wrong.",
        inputs: ["field": "verificationCode"], hiding: [wrong, right, grace.idToken])

      try await home.server.enroll(Self.number, grace.idToken)
      let pending = try await home.server.signIn(grace.email)
      let credential = try #require(pending.json["mfaPendingCredential"])
      let asked = try await home.server.post(
        "/v2/accounts/mfaSignIn:start",
        [
          "mfaPendingCredential": credential,
          "mfaEnrollmentId": try #require(pending.json["mfaInfo"]?.items.first?["mfaEnrollmentId"]),
          "phoneSignInInfo": ["phoneNumber": "+*******0100"],
        ])
      let sent = try #require(home.server.messages.last(to: Self.number)).proof.reveal()
      let other = sent == "123456" ? "654321" : "123456"
      try await explained.expect(
        home.server.post(
          "/v2/accounts/mfaSignIn:finalize",
          [
            "mfaPendingCredential": credential,
            "phoneVerificationInfo": [
              "sessionInfo": try #require(asked.json["phoneResponseInfo"]?["sessionInfo"]),
              "code": .string(other),
            ],
          ]), .challenge, rule: "second factor", result: "refused: The code is wrong.",
        hiding: [sent, other, credential.stringValue ?? ""])
    }
  }

  @Test func `a plug-in that fails, and one that quotes what it was shown`() async throws {
    try await withExplanations { home, explained in
      let token = "pat_1234567"
      try await explained.expect(
        home.signIn(postBody: "providerId=broken.example&token=\(token)"), .signIn,
        rule: "credential",
        result: "failed: The provider broken.example failed.",
        inputs: ["provider": "broken.example", "step": "credential"], hiding: [token])
      try await explained.expect(
        home.signIn(postBody: "providerId=quoting.example&token=\(token)"), .signIn,
        rule: "credential",
        result: "refused: The vendor takes neither … nor … from ….",
        inputs: ["provider": "quoting.example", "step": "exchange", "field": "…"],
        hiding: [token, Quoting.opaque, Quoting.signed])
    }
  }
}

/// Runs a federation with a recorded log and with providers that misbehave.
private func withExplanations(
  _ body: @escaping @Sendable (Federation, Explanations) async throws -> Void
) async throws {
  let log = LogLines()
  try await withFederation(
    .production,
    configure: {
      $0.logger = log.logger
      $0.servers = 1
      $0.providers = { registry, _ in registry.adding([Broken(), Quoting()]) }
    }
  ) { home in
    try await body(home, Explanations(home: home.server, log: log))
  }
}

/// The explanation of a refusal for an admin: in the event, in `why`, and by the ID of the request.
private struct Explanations: Sendable {
  let home: ServerHome
  let log: LogLines

  /// Expects that the newest event is the refusal of an answer, and that its last step explains it.
  func expect(
    _ reply: Reply, _ action: Action, rule: String, result: String?,
    inputs: [String: String] = [:], hiding secrets: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    #expect((400..<500).contains(reply.status), "\(reply.text)", sourceLocation: sourceLocation)
    let event = try #require(
      try await home.graph.events(limit: 1, in: home.scope).first, sourceLocation: sourceLocation)
    #expect(event.action == action, sourceLocation: sourceLocation)
    #expect(event.errorCode != nil, sourceLocation: sourceLocation)
    let step = try #require(event.trace.steps.last, sourceLocation: sourceLocation)
    #expect(step.rule == rule, "\(step)", sourceLocation: sourceLocation)
    if let result { #expect(step.result == result, sourceLocation: sourceLocation) }
    for (name, value) in inputs {
      #expect(
        step.inputs.contains(.init(name: name, value: value)), "\(step)",
        sourceLocation: sourceLocation)
    }
    let why = try await home.admin("GET", "\(home.adminRoot)/events/\(event.id):why")
    #expect(why.json["event"]?["errorCode"]?.stringValue == event.errorCode)
    #expect(why.json["trace"]?.items.last?["result"]?.stringValue == step.result)
    for secret in secrets {
      #expect(!"\(event)".contains(secret), "\(event)", sourceLocation: sourceLocation)
      #expect(!why.text.contains(secret), sourceLocation: sourceLocation)
      // Six digits can occur by chance in a long log.
      if secret.utf8.count > 6 {
        #expect(!log.text.contains(secret), sourceLocation: sourceLocation)
      }
    }
    let id = try #require(reply.headers["x-request-id"], sourceLocation: sourceLocation)
    #expect(event.requestID == id, sourceLocation: sourceLocation)
    #expect(why.json["event"]?["requestID"]?.stringValue == id, sourceLocation: sourceLocation)
    #expect(
      log.all.count { $0.hasPrefix("answered ") && $0.contains(id) } == 1,
      sourceLocation: sourceLocation)
  }
}

/// A provider that fails with an error of its own, which quotes the credential.
private struct Broken: AuthProvider {
  struct Fault: Error {
    let token: String
  }

  let id = ProviderID("broken.example")
  let manifest = ProviderManifest(name: "Broken", kind: .custom, builders: [tokenBuilder])

  func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    throw Fault(token: String(try credential.required("token").reversed()))
  }
}

/// A provider whose refusal quotes the credential and the vendor's answer.
private struct Quoting: AuthProvider {
  static let opaque = "a8f3c2e19b7d4460"
  static let signed = "eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9"

  let id = ProviderID("quoting.example")
  let manifest = ProviderManifest(name: "Quoting", kind: .custom, builders: [tokenBuilder])

  func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    let token = try credential.required("token")
    throw AuthError(
      .invalidCredential,
      "The vendor takes neither \(token) nor \(Self.opaque) from \(Self.signed).", field: token,
      step: .exchange)
  }
}

private let tokenBuilder = CredentialBuilder(
  "token", fields: [CredentialField("token", secret: true, "a token")])
