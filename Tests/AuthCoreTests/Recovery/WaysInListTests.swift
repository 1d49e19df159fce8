import AuthTesting
import Testing
import TestSupport

@testable import AuthCore

/// The list of the ways into an account, and its audiences.
@Suite struct `The ways into an account` {
  let home = TestHome()

  /// Makes an account with a vendor's identity, a password and an authenticator app.
  private func ada() async throws -> Account {
    let ada = try await home.person("ada")
    _ = try await home.graph.link(
      home.password("ada@example.com", "first-secret"), to: ada.id, by: home.session(ada.id))
    _ = try await home.enrollTOTP(ada.id, name: "App")
    return try await home.account(ada.id)
  }

  private func ways(into id: AccountID) async throws -> [WayIn] {
    try await home.graph.waysIn(of: id, in: home.scope)
  }

  @Test func `are its identities, factors and sessions, and its mailbox`() async throws {
    let ada = try await ada()
    let ways = try await ways(into: ada.id)

    #expect(ways.map(\.kind) == [.provider, .password, .secondFactor, .sessions, .mailbox])
    #expect(
      ways.map(\.label) == ["ada@example.com", "ada@example.com", "App", nil, "ada@example.com"])
    #expect(ways.map(\.provider) == [TestHome.fake, .password, nil, nil, nil])
    #expect(ways.allSatisfy { $0.obstacle == nil })
    #expect(ways.filter { !$0.isEndable }.map(\.kind) == [.mailbox])
    #expect(Set(ways.map(\.id)).count == ways.count)
    #expect(ways[0].linkedAt == ada.identities[0].linkedAt && ways[0].origin == .credential)
  }

  @Test func `name the obstacle that the rule of the last way in sees`() async throws {
    let ada = try await home.withPassword("ada@example.com")
    _ = try await home.graph.assert(
      .phone(try PhoneNumber("+15555550100")), profile: IdentityProfile(), on: ada.id,
      by: home.admin)
    #expect(try await ways(into: ada.id).prefix(2).map(\.obstacle) == [nil, nil])
    _ = try await home.enrollTOTP(ada.id)
    try await home.close([.password])
    #expect(
      try await ways(into: ada.id).prefix(2).map(\.obstacle) == [
        "closed", "beside a second factor",
      ]
    )
    _ = try await home.graph.setDisabled(true, ada.id, by: home.admin)
    #expect(
      try await ways(into: ada.id).prefix(2).map(\.obstacle)
        == ["account disabled", "account disabled"])
  }

  @Test func `of an absorbed uid are those of the survivor`() async throws {
    let ada = try await home.person("ada")
    let bo = try await home.signIn(home.credential("bo", provider: TestHome.other)).account
    _ = try await home.graph.commit(
      home.graph.planMerge(keep: ada.id, absorb: bo.id, in: home.scope), by: home.admin)
    #expect(
      try await ways(into: bo.id).prefix(2).map(\.provider) == [TestHome.fake, TestHome.other])
    await expectError(.userNotFound) { try await ways(into: AccountID("nobody")) }
  }

  @Test func `show the mailbox's reader no name, no time and nothing to end`() async throws {
    let ways = try await ways(into: try await ada().id)
    for way in ways {
      let shown = way.json(for: .mailbox)
      for name in ["id", "linkedAt", "lastUsedAt", "origin", "endable"] {
        #expect(shown[name] == nil, "\(shown.text)")
      }
      #expect(!shown.text.contains("ada@") && !shown.text.contains("App"), "\(shown.text)")
    }
    #expect(
      ways[0].json(for: .mailbox) == [
        "kind": "provider", "provider": "fake.example", "usable": true,
        "label": "a•••@example.com",
      ])
  }

  @Test func `that stay are in the receipt of a reset, of a change of address and of an undo`()
    async throws
  {
    let ada = try await home.withPassword("ada@example.com", verified: false)
    _ = try await home.graph.link(home.credential("1"), to: ada.id, by: home.session(ada.id))
    let reset = try await home.reset(
      try await home.code(.resetPassword, "ada@example.com"), "second-secret")
    // The identity of whoever opened the account was not proven to be the address's owner's.
    let stay = try #require(reset.receipt.waysIn.first)
    #expect(stay.account == ada.id && stay.ways.map(\.kind) == [.password, .sessions, .mailbox])

    var changes = ProfileChanges()
    changes.email = .set(try EmailAddress("lovelace@example.com"))
    let moved = try await home.graph.update(ada.id, changes, by: home.admin)
    #expect(moved.waysIn.first?.ways.first?.label == "lovelace@example.com")
    changes = ProfileChanges()
    changes.displayName = .set("Ada")
    #expect(try await home.graph.update(ada.id, changes, by: home.admin).waysIn.isEmpty)

    let bo = try await home.signIn(home.credential("bo", provider: TestHome.other)).account
    let merge = try await home.graph.commit(
      home.graph.planMerge(keep: ada.id, absorb: bo.id, in: home.scope), by: home.admin)
    #expect(merge.waysIn.isEmpty)
    let undo = try await home.graph.undoMerge(merge.id, by: home.admin)
    #expect(undo.waysIn.map(\.account) == [ada.id, bo.id])
    #expect(undo.waysIn.last?.ways.first?.provider == TestHome.other)
  }
}
