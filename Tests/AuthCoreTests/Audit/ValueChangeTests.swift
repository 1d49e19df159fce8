import AuthTesting
import BuiltInProviders
import FakeVendors
import Testing
import TestSupport

@testable import AuthCore

/// The values before and after that events keep.
@Suite struct `Values in events` {
  let home = TestHome()

  private func last(_ id: AccountID) async throws -> AuditEvent {
    try await home.graph.history(of: id, limit: 1, in: home.scope).first.unwrapped("event")
  }

  private func changes(_ id: AccountID) async throws -> [String] {
    try await last(id).changes.map(\.description)
  }

  @Test func `an update keeps every field before and after`() async throws {
    let ada = try await home.withPassword("a@example.com")
    try await home.update(ada.id) {
      $0.email = .set(try EmailAddress("b@example.com"))
      $0.displayName = .set("Ada")
      $0.photoURL = .set("https://x.example/a.png")
      $0.phoneNumber = .set(try PhoneNumber("+15550100123"))
      $0.customClaims = .set(try CustomClaims(["role": "editor"]))
      $0.disabled = true
    }
    let shown = try await changes(ada.id)
    for line in [
      "email: a@example.com → b@example.com", "emailVerified: true → false",
      "displayName: none → Ada", "photoURL: none → https://x.example/a.png",
      "phoneNumber: none → +15550100123", #"customClaims: none → {"role":"editor"}"#,
      "disabled: false → true", "identity phone/+15550100123: none → linked",
    ] {
      #expect(shown.contains(line), "\(line) is not in \(shown)")
    }
    let event = try await last(ada.id)
    #expect(event.details["changes"]?["email"]?["from"] == "a@example.com")
    #expect(event.what?.contains("email: a@example.com → b@example.com") == true)

    try await home.update(ada.id) { $0.displayName = .clear }
    #expect(try await changes(ada.id) == ["displayName: Ada → none"])
    let receipt = try await home.graph.setDisabled(false, ada.id, by: home.admin)
    #expect(receipt.changes.map(\.description) == ["disabled: true → false"])
  }

  @Test func `secrets are never kept`() async throws {
    let ada = try await home.withPassword("a@example.com", "a secret of old")
    try await home.update(ada.id) { $0.password = Secret("a secret of today") }
    #expect(try await changes(ada.id) == ["password changed"])
    let (_, secret) = try await home.enrollTOTP(ada.id)
    let enrolled = try await changes(ada.id)
    #expect(enrolled.count == 1 && enrolled[0].hasSuffix(": none → totp"), "\(enrolled)")
    _ = try await home.enrollPhone(ada.id, "+15550100199")
    let phone = try await changes(ada.id)
    #expect(phone.count == 1 && phone[0].hasSuffix("→ phone +*******0199"), "\(phone)")
    let hashes = try await home.account(ada.id).identities.compactMap(\.secret?.encoded)
    let sealed = try await home.account(ada.id).secondFactors.compactMap(\.secret?.encoded)
    for event in try await home.graph.events(limit: 100, in: home.scope) {
      let text = event.details.text
      for word in [secret.reveal(), "secret of", "5550100199"] + hashes + sealed {
        #expect(!text.contains(word), "\(text)")
      }
    }
  }

  @Test func `a masked field of a record shows no value, whatever it is`() throws {
    let time = Timestamp(milliseconds: 1)
    var old = Identity(key: IdentityKey(.google, subject: "1"), origin: .credential, linkedAt: time)
    old.secret = StoredSecret(encoded: "hidden one", changedAt: time)
    var new = old
    new.secret = StoredSecret(encoded: "hidden two", changedAt: time)
    new.profile.displayName = "Ada"
    let changes = new.changes(from: old, under: "x ")
    #expect(changes == [ValueChange("x secret", from: nil, to: nil)])
    #expect(
      new.profile.changes(from: old.profile).map(\.description) == ["displayName: none → Ada"])
    #expect(!"\(changes)".contains("hidden"))
  }

  @Test func `a link and an unlink name the identity with its profile`() async throws {
    let ada = try await home.withPassword("a@example.com")
    let key = IdentityKey(TestHome.other, subject: "7")
    _ = try await home.graph.assert(
      key, profile: IdentityProfile(email: "x@vendor.example", displayName: "Ada L."), on: ada.id,
      by: home.admin)
    let linked = try await last(ada.id).changes
    #expect(linked.map(\.name).contains("identity \(key)"))
    let shown = linked.first { $0.name == "identity \(key)" }
    #expect(shown?.to == ["email": "x@vendor.example", "displayName": "Ada L."])
    let receipt = try await home.graph.unlink(TestHome.other, from: ada.id, by: home.admin)
    #expect(receipt.changes.first { $0.name == "identity \(key)" }?.to == .null)
    #expect(receipt.losses?.identities == [key] && receipt.losses?.waysIn == 1)
    #expect(try await last(ada.id).what == "\(key)")
  }

  @Test func `a rehearsed unlink of the last way in says that none remains`() async throws {
    let ada = try await home.signIn(home.credential("ada")).account
    var dry = home.admin
    dry.dryRun = true
    let rehearsal = dry
    let receipt = try await home.graph.unlink(
      TestHome.fake, from: ada.id, force: true, by: rehearsal)
    #expect(receipt.losses?.waysIn == 0 && receipt.losses?.identities == ada.identities.keys)
    #expect(!receipt.changes.isEmpty)
  }

  @Test func `a sign-in keeps what it changed of the profile, and nothing else`() async throws {
    _ = try await home.graph.changeSettings(by: home.admin) { $0.profileOnSignIn = .follow }
    let ada = try await home.signIn(home.credential("ada", name: "Ada")).account
    home.clock.advance(seconds: 60)
    _ = try await home.signIn(home.credential("ada", name: "Ada"))
    #expect(try await changes(ada.id) == [])
    _ = try await home.signIn(home.credential("ada", name: "Countess"))
    #expect(
      try await changes(ada.id) == [
        "displayName: Ada → Countess", "fake.example/ada displayName: Ada → Countess",
      ])
  }

  @Test func `a take-over keeps what the earlier owner lost`() async throws {
    let thief = try await home.withPassword("victim@example.com", verified: false)
    try await home.trust(TestHome.fake)
    _ = try await home.signIn(
      home.credential("victim", email: "victim@example.com", verified: "true"))
    let event = try await last(thief.id)
    #expect(event.action == .takeOver)
    #expect(event.changes.map(\.description).contains("password: set → none"))
  }

  @Test func `many changes are counted beyond the bound, and long values are cut`() async throws {
    let many = (0..<40).map { ValueChange("n\($0)", from: .null, to: "x") }
    let details = ValueChange.details(many)
    #expect(details["more"] == 8)
    let ada = try await home.signIn(home.credential("ada")).account
    for number in 0..<2 {
      let claims = try CustomClaims(["n\(number)": .string(String(repeating: "x", count: 900))])
      try await home.update(ada.id) { $0.customClaims = .set(claims) }
    }
    #expect(try await last(ada.id).details.text.utf8.count < 16_384)
  }

  @Test func `events of earlier versions and changed settings are read as before`() async throws {
    _ = try await home.graph.changeSettings(by: home.admin) { $0.recentLoginSeconds = 60 }
    let event = try await home.graph.events(limit: 1, in: home.scope).first.unwrapped("event")
    #expect(event.changes.map(\.description) == ["recentLoginSeconds: 300 → 60"])
    let old = AuditEvent(
      id: "e", scope: home.scope, at: home.clock.now, actor: "admin:ada", reason: nil,
      action: .update, accountID: AccountID("a"), details: ["fields": ["email"]])
    #expect(old.changes.isEmpty && old.what == "email")
    #expect(old.withoutValues == old)
  }

  @Test func `a reader who may not read accounts sees no values`() async throws {
    let ada = try await home.withPassword("a@example.com")
    try await home.update(ada.id) { $0.displayName = .set("Ada") }
    let event = try await last(ada.id).withoutValues
    #expect(event.changes.isEmpty && event.details["fields"] == ["displayName"])
    #expect(!event.details.text.contains("Ada"))
  }
}
