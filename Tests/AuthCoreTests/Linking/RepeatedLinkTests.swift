import AuthCore
import AuthTesting
import FakeVendors
import Testing
import TestSupport

/// A provider whose tokens work once, as ID tokens do.
private struct TicketOffice: AuthProvider {
  static let id = ProviderID("ticket.example")

  let manifest: ProviderManifest
  var id: ProviderID { Self.id }

  init() { manifest = FakeProvider(id: Self.id).manifest }

  func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    var identity = try await FakeProvider(id: Self.id).verify(credential, context)
    identity.uses = [
      OneTimeUse(
        "ticket:\(identity.key?.subject ?? "")", expiresAt: context.now.adding(seconds: 3600))
    ]
    return identity
  }
}

@Suite struct `A link that is sent twice` {
  private let home = TestHome(more: [TicketOffice()])

  private func ticket(_ subject: String) throws -> Credential {
    try home.credential(subject, provider: TicketOffice.id)
  }

  /// The one-time credentials, which a person shows again if the answer was lost.
  enum OneTime: String, CaseIterable, Sendable { case token, phone, emailLink }

  private func credential(_ kind: OneTime, for account: AccountID) async throws -> Credential {
    switch kind {
    case .token: try ticket("t")
    case .phone: try await home.phone("+15555550100")
    // A link to another address would end the session that makes it.
    case .emailLink: try await home.emailLink("ada@example.com", for: account)
    }
  }

  private func person() async throws -> Account {
    try await home.signIn(home.credential("1", email: "ada@example.com")).account
  }

  @Test(arguments: OneTime.allCases)
  func `succeeds twice by the same session, and changes nothing the second time`(
    kind: OneTime
  ) async throws {
    let ada = try await person()
    let shown = try await credential(kind, for: ada.id)
    let session = home.session(ada.id)
    let first = try await home.graph.link(shown, to: ada.id, by: session)
    let linked = try await home.account(ada.id)
    #expect(linked.identities.count == 2)

    let second = try await home.graph.link(shown, to: ada.id, by: session)

    #expect(second.accountID == first.accountID && second.action == .link && second.isUnchanged)
    #expect(try await home.account(ada.id) == linked)
  }

  @Test(arguments: OneTime.allCases)
  func `gives the same session's tokens twice`(kind: OneTime) async throws {
    let ada = try await person()
    let shown = try await credential(kind, for: ada.id)
    let session = home.session(ada.id)
    let first = try await home.graph.linkForSession(shown, to: ada.id, by: session)
    let second = try await home.graph.linkForSession(shown, to: ada.id, by: session)
    #expect(second.account.id == first.account.id)
    #expect(second.session.identity == first.session.identity)
    #expect(second.account.identities == first.account.identities)
  }

  @Test(arguments: OneTime.allCases)
  func `attack: what one account used opens nothing for another`(kind: OneTime) async throws {
    let ada = try await person()
    let eve = try await home.signIn(home.credential("2")).account
    let shown = try await credential(kind, for: ada.id)
    _ = try await home.graph.link(shown, to: ada.id, by: home.session(ada.id))
    await expectError(.invalidCredential, .codeExpired, .invalidVerificationID) {
      try await home.graph.link(shown, to: eve.id, by: home.session(eve.id))
    }
    await expectError(.invalidCredential, .codeExpired, .invalidVerificationID) {
      try await home.signIn(shown)
    }
    #expect(try await home.account(eve.id).identities.count == 1)
  }

  @Test(arguments: OneTime.allCases)
  func `attack: another session of the account does not repeat it`(kind: OneTime) async throws {
    let ada = try await person()
    let shown = try await credential(kind, for: ada.id)
    _ = try await home.graph.link(shown, to: ada.id, by: home.session(ada.id))
    home.clock.advance(seconds: 1)
    await expectError(.invalidCredential, .codeExpired, .invalidVerificationID) {
      try await home.graph.link(shown, to: ada.id, by: home.session(ada.id))
    }
    await expectError(.invalidCredential, .codeExpired, .invalidVerificationID) {
      try await home.graph.link(shown, to: ada.id, by: home.admin)
    }
  }

  @Test(arguments: OneTime.allCases)
  func `attack: what was unlinked since is not linked by a used proof`(kind: OneTime) async throws {
    let ada = try await person()
    let shown = try await credential(kind, for: ada.id)
    let session = home.session(ada.id)
    _ = try await home.graph.link(shown, to: ada.id, by: session)
    _ = try await home.graph.unlink(shown.provider, from: ada.id, by: session)
    await expectError(.invalidCredential, .codeExpired, .invalidVerificationID) {
      try await home.graph.link(shown, to: ada.id, by: session)
    }
    #expect(try await home.account(ada.id).identities.count == 1)
  }

  @Test func `is refused after its window`() async throws {
    _ = try await home.graph.changeSettings(by: home.admin) { $0.recentLoginSeconds = 3600 }
    let ada = try await home.signIn(home.credential("1")).account
    let session = home.session(ada.id)
    _ = try await home.graph.link(ticket("t"), to: ada.id, by: session)
    home.clock.advance(seconds: 599)
    _ = try await home.graph.link(ticket("t"), to: ada.id, by: session)
    home.clock.advance(seconds: 2)
    await expectError(.invalidCredential) {
      try await home.graph.link(ticket("t"), to: ada.id, by: session)
    }
  }

  @Test func `with a pending token succeeds for the session that used it alone`() async throws {
    let ada = try await person()
    let session = home.session(ada.id)
    let verified = try await home.graph.verify(ticket("t"), linkingTo: ada.id, by: session)
    let token = try await home.graph.storePendingCredential(verified).reveal()
    for _ in 0..<2 {
      let pending = try await home.graph.pendingCredential(token, by: session)
      let linked = try await home.graph.linkForSession(pending, to: ada.id, by: session)
      #expect(linked.account.identities.count == 2)
    }
    await expectError(.invalidCredential) {
      try await home.graph.pendingCredential(token, by: home.anyone)
    }
    home.clock.advance(seconds: 1)
    await expectError(.invalidCredential) {
      try await home.graph.pendingCredential(token, by: home.session(ada.id))
    }
  }

  @Test func `with a new credential of the identity uses that up, and changes nothing`()
    async throws
  {
    let ada = try await home.signIn(home.credential("1")).account
    let session = home.session(ada.id)
    let receipt = try await home.graph.link(home.credential("1"), to: ada.id, by: session)
    #expect(receipt.isUnchanged && receipt.action == .link)
    #expect(try await home.account(ada.id) == ada)
  }

  @Test func `a password that differs is no repetition`() async throws {
    let ada = try await home.signIn(home.credential("1")).account
    let session = home.session(ada.id)
    _ = try await home.graph.link(
      home.password("ada@example.com", "secret-1"), to: ada.id, by: session)
    await expectError(.providerAlreadyLinked) {
      try await home.graph.link(
        home.password("ada@example.com", "secret-2"), to: ada.id, by: session)
    }
  }
}
