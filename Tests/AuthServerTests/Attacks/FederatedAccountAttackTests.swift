import AuthCore
import FakeVendors
import Testing

@testable import IdentityToolkitService

@Suite(.serialized) struct `Attacks on accounts by way of identity providers` {
  /// The ways in which a vendor's answer reaches `signInWithIdp`.
  enum Way: String, CaseIterable, Sendable {
    case idToken, accessToken, code, pendingToken, browser
  }

  @Test(arguments: Way.allCases, [true, false])
  func `attack 24: no way leads past the second factor`(
    _ way: Way, _ isLinked: Bool
  ) async throws {
    try await withFederation(.production) { home in
      try await home.trust(.google)
      let id = try await home.account(email: "ada@example.com", verified: true)
      if isLinked {
        let token = try await home.session(email: "ada@example.com")
        expectTokens(try await home.signIn(.google, .ada, idToken: token))
      }
      var changes = ProfileChanges()
      changes.secondFactors = [
        SecondFactor(id: "factor-1", kind: .phone(try PhoneNumber("+15555550123")))
      ]
      _ = try await home.graph.update(id, changes, by: home.server.admin)

      let reply = try await signIn(way, home)

      expectNoTokens(reply)
      #expect(reply.json["mfaPendingCredential"] != nil)
      #expect(reply.json["localId"]?.stringValue == id.rawValue)
    }
  }

  private func signIn(_ way: Way, _ home: Federation) async throws -> Reply {
    switch way {
    case .idToken: return try await home.signIn(.google, .ada)
    case .accessToken:
      let token = home.google.accessToken(for: .ada)
      return try await home.signIn(
        postBody: "providerId=google.com&access_token=\(URLText.escaped(token))")
    case .code:
      let begun = try await home.server.post(
        "/v1/accounts:createAuthUri",
        ["providerId": "google.com", "continueUri": "https://app.example/", "sessionId": "s"])
      let answer = try await home.google.authorize(try begun.text("authUri"), as: .ada)
      let fields = answer.parameters.merging(["providerId": "google.com"]) { $1 }
      return try await home.signIn(
        postBody: URLText.form(fields.map { (name: $0.key, value: $0.value) }),
        ["sessionId": "s"])
    case .pendingToken:
      try await home.settings { $0.trust[.google] = .never }
      let session = try await home.anonymousSession()
      let conflict = try await home.signIn(.google, .ada, idToken: session, returning: true)
      try await home.trust(.google)
      return try await home.signIn(
        postBody: "providerId=google.com",
        ["pendingToken": .string(try conflict.text("pendingToken"))])
    case .browser:
      let browser = Browser(home)
      let back = try await browser.comeBack(
        from: try await browser.begin(.google), .google, as: .ada)
      return try await home.signIn(
        postBody: nil,
        [
          "requestUri": .string(try #require(back.headers["location"])),
          "sessionId": .string(try #require(back.fragment["sessionId"])),
        ])
    }
  }

  @Test(arguments: [true, false])
  func `attack 26: a refused link does not reveal the identity's owner`(
    _ returning: Bool
  ) async throws {
    try await withFederation(.production) { home in
      let owner = try await home.signIn(
        .google, FakePerson(subject: "owned", email: "owner@example.com", name: "The Owner"))
      let disabled = try await home.signIn(
        .google, FakePerson(subject: "shut", email: "shut@example.com"))
      _ = try await home.graph.setDisabled(
        true, AccountID(try disabled.text("localId")), by: home.server.admin)
      var bodies: [String] = []
      for subject in ["owned", "shut"] {
        let session = try await home.anonymousSession()
        let reply = try await home.signIn(
          .google, FakePerson(subject: subject, email: "me@example.com", name: "Me"),
          idToken: session, returning: returning)
        #expect(!reply.text.contains(try owner.text("localId")))
        #expect(!reply.text.contains("owner@example.com"))
        #expect(!reply.text.contains("The Owner"))
        bodies.append(
          "\(reply.status) \(reply.message ?? "") \(reply.json["errorMessage"] ?? .null)")
      }
      #expect(bodies[0] == bodies[1])
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `attack 27: a link never changes the session's account`(_ mode: ServerMode) async throws {
    try await withFederation(mode) { home in
      let person = FakePerson(subject: "1001", email: "bo@example.com")
      let owner = try await home.signIn(.google, person)
      _ = try await home.account(email: "ada@example.com", verified: true)
      let session = try await home.session(email: "ada@example.com")

      for returning in [true, false] {
        let reply = try await home.signIn(
          .google, person, idToken: session, returning: returning)
        #expect(reply.json["idToken"] == nil)
        #expect(reply.json["localId"] == nil)
        #expect(!reply.text.contains(try owner.text("localId")))
      }
    }
  }

  @Test func `attack 34: a session of one tenant is worth nothing in another`() async throws {
    try await withFederation(.emulator) { home in
      let person = FakePerson(subject: "1001", email: "ada@example.com")
      let first = try await home.signIn(.google, person, tenant: "tenant-a")
      let second = try await home.signIn(.google, person, tenant: "tenant-b")
      let outside = try await home.signIn(.google, person)
      let ids = [first, second, outside].map { $0.json["localId"] }
      #expect(Set(ids).count == 3)

      let crossed = try await home.signIn(
        .google, FakePerson(subject: "1002"), idToken: try first.text("idToken"),
        tenant: "tenant-b")
      expectFailure(crossed, "TENANT_ID_MISMATCH")
    }
  }

  @Test func `attack 34: a pending token of one scope is not found in another`() async throws {
    try await withFederation(.production) { home in
      let reply = try await home.signIn(.google, .ada)
      for tenant in ["tenant-a", "tenant-b"] {
        _ = try await home.graph.createTenant(
          tenant, in: ServerHome.project, settings: ProjectSettings(), by: home.server.admin)
        let crossed = try await home.signIn(
          postBody: "providerId=google.com",
          ["pendingToken": .string(try reply.text("pendingToken")), "tenantId": .string(tenant)])
        expectFailure(crossed, "INVALID_PENDING_TOKEN")
      }
      let unknown = try await home.signIn(.google, .ada, tenant: "tenant-c")
      expectFailure(unknown, "TENANT_NOT_FOUND")
    }
  }
}
