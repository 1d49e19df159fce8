import AuthCore
import FakeVendors
import Testing

@testable import IdentityToolkitService

@Suite(.serialized) struct `The table of links with an identity provider` {
  static let work = Federation.work
  static let google = Federation.google

  @Test(arguments: ServerMode.allCases, [true, false, nil])
  func `an identity of another account is linked already`(
    _ mode: ServerMode, _ returning: Bool?
  ) async throws {
    try await withFederation(mode) { home in
      let person = FakePerson(subject: "1001", email: "bo@example.com")
      let owner = try await home.signIn(Self.google, person)
      let id = try await home.account(email: "ada@example.com", verified: true)
      let token = try await home.session(email: "ada@example.com")

      let reply = try await home.signIn(Self.google, person, idToken: token, returning: returning)

      expectConflict(reply, "FEDERATED_USER_ID_ALREADY_LINKED", returned: returning == true, home)
      #expect(try await home.stored(id).identities(of: .google).isEmpty)
      #expect(try await home.stored(owner).identities(of: .google).count == 1)
    }
  }

  @Test(arguments: ServerMode.allCases, [true, false])
  func `an identity of the same account is linked already`(
    _ mode: ServerMode, _ returning: Bool
  ) async throws {
    try await withFederation(mode) { home in
      let person = FakePerson(subject: "1001", email: "ada@example.com")
      let first = try await home.signIn(Self.google, person)

      let reply = try await home.signIn(
        Self.google, person, idToken: try first.text("idToken"), returning: returning)

      guard mode == .emulator else {
        // A client whose answer was lost sends its link again.
        expectLinked(reply, AccountID(try first.text("localId")))
        return
      }
      expectConflict(reply, "FEDERATED_USER_ID_ALREADY_LINKED", returned: returning, home)
    }
  }

  @Test(arguments: ServerMode.allCases, [true, false])
  func `an address of another account is in use`(
    _ mode: ServerMode, _ returning: Bool
  ) async throws {
    try await withFederation(mode) { home in
      _ = try await home.account(email: "bo@example.com", verified: true)
      let id = try await home.account(email: "ada@example.com", verified: true)
      let token = try await home.session(email: "ada@example.com")

      let reply = try await home.signIn(
        Self.google, FakePerson(subject: "1001", email: "bo@example.com"), idToken: token,
        returning: returning)

      expectConflict(reply, "EMAIL_EXISTS", returned: returning, home)
      #expect(try await home.stored(id).identities(of: .google).isEmpty)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `links share addresses if accounts do`(_ mode: ServerMode) async throws {
    try await withFederation(mode) { home in
      try await home.settings { $0.oneAccountPerEmail = false }
      _ = try await home.account(email: "bo@example.com", verified: true)
      let id = try await home.account(email: "ada@example.com", verified: true)
      let token = try await home.session(email: "ada@example.com")

      let reply = try await home.signIn(
        Self.google, FakePerson(subject: "1001", email: "bo@example.com"), idToken: token)

      expectLinked(reply, id)
      #expect(try await home.stored(id).email?.text == "ada@example.com")
    }
  }

  @Test func `in the emulator another subject replaces the linked one`() async throws {
    try await withFederation(.emulator) { home in
      let first = try await home.signIn(
        Self.google, FakePerson(subject: "1001", email: "ada@example.com"))

      let reply = try await home.signIn(
        Self.google, FakePerson(subject: "1002", email: "ada@example.com"),
        idToken: try first.text("idToken"))

      expectLinked(reply, AccountID(try first.text("localId")))
      #expect(try await home.stored(reply).identities.map(\.key.subject) == ["1002"])
    }
  }

  @Test func `in production another subject does not replace the linked one`() async throws {
    try await withFederation(.production) { home in
      let first = try await home.signIn(
        Self.google, FakePerson(subject: "1001", email: "ada@example.com"))

      let reply = try await home.signIn(
        Self.google, FakePerson(subject: "1002", email: "ada@example.com"),
        idToken: try first.text("idToken"))

      expectFailure(reply, "FEDERATED_USER_ID_ALREADY_LINKED")
      #expect(try await home.stored(first).identities.map(\.key.subject) == ["1001"])
    }
  }

  @Test(arguments: ServerMode.allCases, [true, false])
  func `an account without an address takes the vendor's`(
    _ mode: ServerMode, _ verified: Bool
  ) async throws {
    try await withFederation(mode) { home in
      try await home.trust(Self.google)
      let token = try await home.anonymousSession()

      let reply = try await home.signIn(
        Self.google,
        FakePerson(
          subject: "1001", email: "ada@example.com", emailVerified: verified, name: "Ada"),
        idToken: token)

      expectTokens(reply)
      let account = try await home.stored(reply)
      #expect(account.email?.text == "ada@example.com")
      #expect(account.emailVerified == verified)
      #expect(reply.json["emailVerified"] == .bool(verified))
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `no address is taken over from the vendor if accounts share addresses`(
    _ mode: ServerMode
  ) async throws {
    try await withFederation(mode) { home in
      try await home.settings { $0.oneAccountPerEmail = false }
      let token = try await home.anonymousSession()

      let reply = try await home.signIn(
        Self.google, FakePerson(subject: "1001", email: "ada@example.com"), idToken: token)

      expectTokens(reply)
      #expect(try await home.stored(reply).email == nil)
    }
  }

  @Test(arguments: ServerMode.allCases, [true, false])
  func `the vendor's word verifies the account's own address`(
    _ mode: ServerMode, _ verified: Bool
  ) async throws {
    try await withFederation(mode) { home in
      try await home.trust(Self.google)
      let id = try await home.account(email: "ada@example.com", verified: false)
      let token = try await home.session(email: "ada@example.com")

      let reply = try await home.signIn(
        Self.google,
        FakePerson(subject: "1001", email: "ada@example.com", emailVerified: verified),
        idToken: token)

      expectLinked(reply, id)
      #expect(try await home.stored(id).emailVerified == verified)
      #expect(reply.json["emailVerified"] == .bool(verified))
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `another address of the vendor, its name and picture change nothing at the top`(
    _ mode: ServerMode
  ) async throws {
    try await withFederation(mode) { home in
      let id = try await home.account(email: "ada@example.com", verified: true) {
        $0.displayName = .set("Ada")
      }
      let token = try await home.session(email: "ada@example.com")

      let reply = try await home.signIn(
        Self.google,
        FakePerson(
          subject: "1001", email: "other@example.com", name: "Other",
          picture: "https://people.example/other.png"), idToken: token)

      expectLinked(reply, id)
      let account = try await home.stored(id)
      #expect(account.email?.text == "ada@example.com")
      #expect(account.displayName == "Ada")
      #expect(account.photoURL == nil)
      #expect(account.identities(of: .google).first?.profile.displayName == "Other")
      if !home.isEmulator { #expect(reply.json["originalEmail"] == "ada@example.com") }
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an anonymous account becomes a person's, with the same uid`(
    _ mode: ServerMode
  ) async throws {
    try await withFederation(mode) { home in
      let token = try await home.anonymousSession()
      let before = try #require(
        try await home.graph.accounts(limit: 1, in: home.server.scope).first)
      #expect(before.isAnonymous)

      let reply = try await home.signIn(
        Self.google, FakePerson(subject: "1001", email: "ada@example.com"), idToken: token)

      expectLinked(reply, before.id)
      #expect(try await home.stored(before.id).isAnonymous == false)
      let claims = try home.claims(reply)
      #expect(claims["provider_id"] == nil)
      #expect(claims["firebase"]?["sign_in_provider"] == "google.com")
      #expect(claims["user_id"]?.stringValue == before.id.rawValue)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a session without the account's second factor gets no tokens for a link`(
    _ mode: ServerMode
  ) async throws {
    try await withFederation(mode) { home in
      let id = try await home.account(email: "ada@example.com", verified: true)
      let token = try await home.session(email: "ada@example.com")
      var changes = ProfileChanges()
      changes.secondFactors = [
        SecondFactor(id: "factor-1", kind: .phone(try PhoneNumber("+15555550123")))
      ]
      _ = try await home.graph.update(id, changes, by: home.server.admin)

      let reply = try await home.signIn(
        Self.google, FakePerson(subject: "1001", email: "ada@example.com"), idToken: token)

      #expect(reply.json["idToken"] == nil)
      if reply.status == 200 {
        expectNoTokens(reply)
        #expect(reply.json["localId"]?.stringValue == id.rawValue)
        #expect(reply.json["mfaPendingCredential"] != nil)
      } else {
        // The enrolment ended the session, which is as good.
        expectFailure(reply, "TOKEN_EXPIRED")
      }
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `the session of a disabled account links nothing`(_ mode: ServerMode) async throws {
    try await withFederation(mode) { home in
      let id = try await home.account(email: "ada@example.com", verified: true)
      let token = try await home.session(email: "ada@example.com")
      _ = try await home.graph.update(id, ProfileChanges(disabled: true), by: home.server.admin)

      let reply = try await home.signIn(
        Self.google, FakePerson(subject: "1001", email: "ada@example.com"), idToken: token)

      #expect(["USER_DISABLED", "TOKEN_EXPIRED"].contains(reply.message))
      #expect(try await home.stored(id).identities(of: .google).isEmpty)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a session that is none links nothing`(_ mode: ServerMode) async throws {
    try await withFederation(mode) { home in
      let reply = try await home.signIn(
        Self.google, FakePerson(subject: "1001", email: "ada@example.com"), idToken: "none")

      expectFailure(reply, "INVALID_ID_TOKEN")
      #expect(try await home.accountCount() == 0)
    }
  }
}

private func expectLinked(
  _ reply: Reply, _ id: AccountID, sourceLocation: SourceLocation = #_sourceLocation
) {
  expectTokens(reply, sourceLocation: sourceLocation)
  #expect(reply.json["localId"]?.stringValue == id.rawValue, sourceLocation: sourceLocation)
  #expect(reply.json["isNewUser"] == nil, sourceLocation: sourceLocation)
}

/// Expects a conflict: an error or, if the request asks for it, an answer with the vendor's claims.
private func expectConflict(
  _ reply: Reply, _ code: String, returned: Bool, _ home: Federation,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  guard returned else { return expectFailure(reply, code, sourceLocation: sourceLocation) }
  expectNoTokens(reply, sourceLocation: sourceLocation)
  #expect(reply.json["errorMessage"]?.stringValue == code, sourceLocation: sourceLocation)
  #expect(reply.json["localId"] == nil, sourceLocation: sourceLocation)
  #expect(reply.json["needConfirmation"] == nil, sourceLocation: sourceLocation)
  #expect(reply.json["oauthIdToken"] != nil, sourceLocation: sourceLocation)
  #expect((reply.json["pendingToken"] != nil) == !home.isEmulator, sourceLocation: sourceLocation)
}
