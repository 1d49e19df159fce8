import AuthCore
import AuthTesting
import FakeVendors
import Testing

@testable import IdentityToolkitService

/// A row of the table of sign-ins with an identity provider.
struct SignInRow: Sendable, CustomTestStringConvertible {
  enum Outcome: Sendable { case owner, create, autoLink, takeOver, confirmation }

  let number: Int
  var duplicatesAllowed = false
  var ownerExists = false
  /// True if the existing account has verified the address; nil if there is no such account.
  var accountVerified: Bool?
  var vendorVerified = true
  var hasEmail = true
  let outcome: Outcome

  var testDescription: String {
    "row \(number): duplicates \(duplicatesAllowed), owner \(ownerExists), "
      + "account \(accountVerified.map { $0 ? "verified" : "unverified" } ?? "none"), "
      + "vendor \(vendorVerified ? "verified" : "unverified")"
  }

  static let all: [SignInRow] =
    [true, false].flatMap { duplicates in
      [true, false].map { verified in
        SignInRow(
          number: 1, duplicatesAllowed: duplicates, ownerExists: true, vendorVerified: verified,
          outcome: .owner)
      }
    } + [
      SignInRow(number: 2, outcome: .create),
      SignInRow(number: 2, vendorVerified: false, outcome: .create),
      SignInRow(number: 2, hasEmail: false, outcome: .create),
      SignInRow(number: 3, accountVerified: true, outcome: .autoLink),
      SignInRow(number: 4, accountVerified: false, outcome: .takeOver),
      SignInRow(number: 5, accountVerified: true, vendorVerified: false, outcome: .confirmation),
      SignInRow(number: 5, accountVerified: false, vendorVerified: false, outcome: .confirmation),
    ]
    + [nil, true, false].flatMap { account in
      [true, false].map { vendor in
        SignInRow(
          number: 6, duplicatesAllowed: true, accountVerified: account, vendorVerified: vendor,
          outcome: .create)
      }
    }
}

@Suite(.serialized) struct `The table of sign-ins with an identity provider` {
  @Test(arguments: SignInRow.all, ServerMode.allCases)
  func `each row comes out as it says`(_ row: SignInRow, _ mode: ServerMode) async throws {
    try await withFederation(mode) { home in
      try await home.trust(Federation.google)
      if row.duplicatesAllowed { try await home.settings { $0.oneAccountPerEmail = false } }
      let person = FakePerson(
        subject: "1001", email: row.hasEmail ? "ada@example.com" : nil,
        emailVerified: row.vendorVerified, name: "Ada", picture: "https://people.example/ada.png")
      var owner: AccountID?
      if row.ownerExists {
        let first = try await home.signIn(Federation.google, person)
        owner = AccountID(try first.text("localId"))
      }
      var existing: AccountID?
      if let verified = row.accountVerified {
        existing = try await home.account(email: "ada@example.com", verified: verified) {
          $0.displayName = .set("Old name")
          $0.phoneNumber = .set(try PhoneNumber("+15555550100"))
        }
      }

      home.server.clock.advance(seconds: 60)

      let reply = try await home.signIn(Federation.google, person)

      switch row.outcome {
      case .owner:
        expectTokens(reply)
        #expect(reply.json["localId"]?.stringValue == owner?.rawValue)
        #expect(reply.json["isNewUser"] == nil)
        #expect(try await home.accountCount() == 1)
      case .create:
        expectTokens(reply)
        #expect(reply.json["isNewUser"] == true)
        #expect(try reply.text("localId") != existing?.rawValue)
        let account = try await home.stored(reply)
        #expect(account.email?.text == (row.duplicatesAllowed ? nil : person.email))
        #expect(
          account.emailVerified
            == (!row.duplicatesAllowed && row.vendorVerified && row.hasEmail))
        #expect(account.displayName == "Ada")
        #expect(account.photoURL == "https://people.example/ada.png")
      case .autoLink, .takeOver:
        expectTokens(reply)
        #expect(reply.json["localId"]?.stringValue == existing?.rawValue)
        #expect(reply.json["isNewUser"] == nil)
        #expect(reply.json["emailVerified"] == true)
        let account = try await home.stored(reply)
        #expect(account.emailVerified)
        #expect(account.identities.contains { $0.provider == .google })
        let isTakenOver = row.outcome == .takeOver
        // The account's own name stays; the emulator replaces it.
        #expect(account.displayName == (isTakenOver || home.isEmulator ? "Ada" : "Old name"))
        #expect(account.photoURL == "https://people.example/ada.png")
        #expect((account.passwordIdentity == nil) == isTakenOver)
        #expect((account.phoneNumber == nil) == isTakenOver)
        #expect((account.validSince == home.server.clock.now) == isTakenOver)
      case .confirmation:
        expectNoTokens(reply)
        #expect(reply.json["needConfirmation"] == true)
        #expect(reply.json["email"] == "ada@example.com")
        if home.isEmulator {
          #expect(reply.json["localId"]?.stringValue == existing?.rawValue)
          #expect(reply.json["verifiedProvider"] == [])
          #expect(reply.json["pendingToken"] == nil)
        } else {
          // The owner of the address stays secret if the project hides accounts.
          #expect(reply.json["localId"] == nil)
          #expect(reply.json["pendingToken"] != nil)
        }
        let account = try await home.stored(try #require(existing))
        #expect(account.displayName == "Old name")
        #expect(account.passwordIdentity != nil)
        #expect(!account.identities.contains { $0.provider == .google })
      }
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a repeated sign-in leaves the account's own profile alone`(
    _ mode: ServerMode
  ) async throws {
    try await withFederation(mode) { home in
      var person = FakePerson(subject: "1001", email: "ada@example.com", name: "Ada")
      let first = try await home.stored(try await home.signIn(Federation.google, person))
      person.name = "Somebody else"
      person.email = "elsewhere@example.com"

      let reply = try await home.signIn(Federation.google, person)

      let account = try await home.stored(reply)
      #expect(account.id == first.id)
      #expect(account.displayName == "Ada")
      #expect(account.email?.text == "ada@example.com")
      let entry = try #require(account.identities(of: .google).first)
      #expect(entry.profile.displayName == "Somebody else")
      #expect(entry.profile.email == "elsewhere@example.com")
      #expect(reply.json["displayName"] == "Somebody else")
    }
  }

  @Test func `in the emulator a take-over leaves other vendors where they are`() async throws {
    try await withFederation(.emulator) { home in
      let person = FakePerson(subject: "fb-1", email: "ada@example.com", emailVerified: false)
      let first = try await home.signIn(ProviderID("facebook.com"), person)

      let reply = try await home.signIn(
        Federation.google, FakePerson(subject: "1001", email: "ada@example.com"))

      #expect(try reply.text("localId") == (try first.text("localId")))
      let account = try await home.stored(reply)
      #expect(Set(account.identities.map(\.provider.rawValue)) == ["facebook.com", "google.com"])
      #expect(account.validSince != nil)
    }
  }

  @Test func `in production a take-over removes every way in that was not proven`() async throws {
    try await withFederation(.production) { home in
      try await home.trust(Federation.google)
      let person = FakePerson(subject: "work-1", email: "ada@example.com", emailVerified: false)
      let first = try await home.signIn(Federation.work, person)

      let reply = try await home.signIn(
        Federation.google, FakePerson(subject: "1001", email: "ada@example.com"))

      #expect(try reply.text("localId") == (try first.text("localId")))
      let account = try await home.stored(reply)
      #expect(account.identities.map(\.provider.rawValue) == ["google.com"])
    }
  }

  @Test func `in the emulator an address that another subject had is recycled`() async throws {
    try await withFederation(.emulator) { home in
      let first = try await home.signIn(
        Federation.google, FakePerson(subject: "1001", email: "ada@example.com"))

      let reply = try await home.signIn(
        Federation.google, FakePerson(subject: "1002", email: "ada@example.com"))

      expectTokens(reply)
      #expect(reply.json["emailRecycled"] == true)
      #expect(try reply.text("localId") == (try first.text("localId")))
      let account = try await home.stored(reply)
      #expect(account.identities.map(\.key.subject) == ["1002"])
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `needConfirmation names the vendors that a telling project shows`(
    _ mode: ServerMode
  ) async throws {
    try await withFederation(mode) { home in
      try await home.settings { $0.signIn.hidesAccounts = false }
      let first = try await home.signIn(
        Federation.work, FakePerson(subject: "work-1", email: "ada@example.com"))

      let reply = try await home.signIn(
        Federation.google,
        FakePerson(subject: "1001", email: "ada@example.com", emailVerified: false))

      expectNoTokens(reply)
      #expect(reply.json["needConfirmation"] == true)
      #expect(reply.json["localId"] == first.json["localId"])
      #expect(reply.json["verifiedProvider"] == ["oidc.work"])
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a second factor is asked for before any token`(_ mode: ServerMode) async throws {
    try await withFederation(mode) { home in
      try await home.trust(Federation.google)
      let id = try await home.guardedAccount(email: "ada@example.com")

      let reply = try await home.signIn(
        Federation.google, FakePerson(subject: "1001", email: "ada@example.com"))

      expectNoTokens(reply)
      #expect(reply.json["localId"]?.stringValue == id.rawValue)
      #expect(reply.json["mfaPendingCredential"]?.stringValue?.isEmpty == false)
      guard case .array(let factors)? = reply.json["mfaInfo"] else {
        Issue.record("no mfaInfo")
        return
      }
      #expect(factors.first?["phoneInfo"] == "+*******0123")
      #expect(factors.first?["mfaEnrollmentId"] == "factor-1")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a disabled account is not entered`(_ mode: ServerMode) async throws {
    try await withFederation(mode) { home in
      let person = FakePerson(subject: "1001", email: "ada@example.com")
      let first = try await home.signIn(Federation.google, person)
      _ = try await home.graph.setDisabled(
        true, AccountID(try first.text("localId")), by: home.server.admin)

      expectFailure(
        try await home.signIn(Federation.google, person, returning: true), "USER_DISABLED")
    }
  }
}
