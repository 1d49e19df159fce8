import AuthCore
import AuthTesting
import Testing
import TestSupport

/// The undo of splits and moves, beside everything else that can happen to the accounts.
@Suite struct `Undoing splits and moves` {
  let home = TestHome()
  private let new = AccountID("new")

  private func isRefused(
    _ id: String, force: Bool = true, _ words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let before = try await home.everything()
    let error = await expectError(.undoRefused, sourceLocation: sourceLocation) {
      try await home.graph.undoTransfer(id, force: force, by: home.admin)
    }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(try await home.everything() == before)
  }

  @Test func `a split is undone row for row, and only once`() async throws {
    let account = try await home.shared()
    _ = try await home.enrollTOTP(account.id)
    let before = try await home.rows()
    let receipt = try await home.split(
      account.id, [TestHome.other("bo"), .password(EmailAddress("ada@example.com"))],
      [.displayName: .move, .customClaims: .copy, .secondFactors: .move])
    #expect(try await home.rows() != before)

    let undone = try await home.graph.undo(receipt.id, by: home.admin)
    #expect(undone.action == .undoSplit)
    #expect(try await home.rows() == before)
    try await isRefused(receipt.id, "undone already")
  }

  @Test func `a move is undone row for row`() async throws {
    let account = try await home.shared()
    let bo = try await home.account(
      await home.add("bo", email: nil, identities: [TestHome.key("own")]))
    let before = try await home.rows()
    for key in [TestHome.other("bo"), .password(try EmailAddress("ada@example.com"))] {
      let receipt = try await home.move(key, from: account.id, to: bo.id)
      let undone = try await home.graph.undo(receipt.id, by: home.admin)
      #expect(undone.action == .undoMove)
      #expect(try await home.rows() == before, "\(key)")
    }
  }

  @Test func `no session from before or since survives an undo`() async throws {
    let account = try await home.shared()
    let key = TestHome.other("bo")
    let receipt = try await home.split(account.id, [key])
    home.clock.advance(seconds: 5)
    let entered = try await home.signIn(home.credential("bo", provider: TestHome.other))
    let entered2 = try await home.signIn(home.credential("ada"))
    home.clock.advance(seconds: 5)
    _ = try await home.graph.undo(receipt.id, by: home.admin)
    for (result, code) in [
      (entered, AuthError.Code.userNotFound), (entered2, .userTokenExpired),
    ] {
      await expectError(code) {
        let id = result.account.id
        let session = home.session(id, signedInAt: result.session?.signedInAt)
        return try await home.graph.delete(id, by: session)
      }
    }
  }

  @Test func `later changes are lost only if forced`() async throws {
    let account = try await home.shared()
    let before = try await home.rows()
    let receipt = try await home.split(account.id, [TestHome.other("bo")])
    try await home.update(new) { $0.displayName = .set("Bo") }
    try await isRefused(receipt.id, force: false, "displayName of new")
    _ = try await home.graph.undoTransfer(receipt.id, force: true, by: home.admin)
    #expect(try await home.rows() == before)
  }

  @Test func `sign-ins are no changes`() async throws {
    let account = try await home.shared()
    let receipt = try await home.split(account.id, [TestHome.other("bo")])
    home.clock.advance(seconds: 60)
    _ = try await home.signIn(home.credential("bo", provider: TestHome.other))
    _ = try await home.graph.undoTransfer(receipt.id, by: home.admin)
    #expect(try await home.account(account.id).identities.count == 3)
  }

  @Test func `a deleted account stays deleted, and its journal goes with it`() async throws {
    let account = try await home.shared()
    let receipt = try await home.split(account.id, [TestHome.other("bo")])
    _ = try await home.graph.delete(new, by: home.admin)
    await expectError(.undoRefused) {
      try await home.graph.undoTransfer(receipt.id, force: true, by: home.admin)
    }
    let records = try await home.graph.store.read {
      try $0.oneTimeRecords(.transfer, after: nil, limit: 10, in: home.scope)
    }
    #expect(
      records.allSatisfy { !$0.content.contains("first-secret") && !$0.content.contains("{") })
  }

  @Test func `attack 61: a restored account is another owner's, and no split of before returns`()
    async throws
  {
    let account = try await home.shared()
    let receipt = try await home.split(account.id, [TestHome.other("bo")])
    _ = try await home.graph.delete(new, restorable: true, by: home.admin)
    _ = try await home.graph.restore(new, by: home.admin)
    await expectError(.undoRefused) {
      try await home.graph.undoTransfer(receipt.id, force: true, by: home.admin)
    }
  }

  @Test func `attack 52: after a take-over of either account nothing of before returns`()
    async throws
  {
    let account = try await home.shared()
    try await home.update(account.id) { $0.emailVerified = false }
    let receipt = try await home.split(account.id, [TestHome.other("bo")])
    try await home.trust(TestHome.fake)
    let owner = try await home.signIn(
      home.credential("owner", email: "ada@example.com", verified: "true"))
    #expect(owner.account.id == account.id && owner.receipt.action == .takeOver)
    await expectError(.undoRefused) {
      try await home.graph.undoTransfer(receipt.id, force: true, by: home.admin)
    }
    #expect(try await home.account(account.id).identities.map(\.key) == [TestHome.key("owner")])
  }

  @Test func `a later merge comes first, and its undo makes way`() async throws {
    let account = try await home.shared()
    let before = try await home.rows()
    let receipt = try await home.split(account.id, [TestHome.other("bo")])
    let cy = try await home.person("cy")
    let all = try await home.rows()
    let into = try await home.graph.commit(
      home.graph.planMerge(keep: new, absorb: cy.id, in: home.scope), by: home.admin)
    try await isRefused(receipt.id, "later merge")
    _ = try await home.graph.undo(into.id, by: home.admin)

    let away = try await home.graph.commit(
      home.graph.planMerge(keep: cy.id, absorb: new, in: home.scope), by: home.admin)
    try await isRefused(receipt.id, "was merged into")
    _ = try await home.graph.undo(away.id, by: home.admin)
    #expect(try await home.rows() == all)

    _ = try await home.graph.undo(receipt.id, force: true, by: home.admin)
    #expect(try await home.rows().filter { $0.id != cy.id } == before)
  }

  @Test func `a merge from before a split cannot be undone while the identity is elsewhere`()
    async throws
  {
    let ada = try await home.person("ada")
    let bo = try await home.signIn(home.credential("bo", provider: TestHome.other)).account
    let merge = try await home.graph.commit(
      home.graph.planMerge(keep: ada.id, absorb: bo.id, in: home.scope), by: home.admin)
    let receipt = try await home.split(ada.id, [TestHome.other("bo")])
    let error = await expectError(.undoRefused) {
      try await home.graph.undoMerge(merge.id, force: true, by: home.admin)
    }
    #expect(error?.message.contains("other.example/bo") == true)
    _ = try await home.graph.undo(receipt.id, by: home.admin)
    _ = try await home.graph.undo(merge.id, force: true, by: home.admin)
    #expect(try await home.account(bo.id).owns(TestHome.other("bo")))
  }

  @Test func `an identity that a third account has is not taken back`() async throws {
    let account = try await home.shared()
    let cy = try await home.account(
      await home.add("cy", email: nil, identities: [TestHome.key("own")]))
    let receipt = try await home.split(account.id, [TestHome.other("bo")])
    let plan = try await home.graph.planMove(
      TestHome.other("bo"), from: new, to: cy.id, in: home.scope)
    let away = try await home.graph.commit(plan, force: true, by: home.admin)
    try await isRefused(receipt.id, "Another account has taken other.example/bo")
    _ = try await home.graph.undo(away.id, by: home.admin)
    _ = try await home.graph.undo(receipt.id, force: true, by: home.admin)
    #expect(try await home.account(account.id).owns(TestHome.other("bo")))
  }

  @Test func `a proven address is not taken back, and an unproven one yields`() async throws {
    let account = try await home.shared()
    let email = try EmailAddress("ada@example.com")
    let receipt = try await home.split(account.id, [.password(email)])
    try await home.update(new) { $0.email = .set(try EmailAddress("new@example.com")) }
    let squatter = try await home.person("squatter", email: "s@example.com")
    try await home.update(squatter.id) { $0.email = .set(email) }
    try await home.update(squatter.id) { $0.emailVerified = true }
    try await isRefused(receipt.id, "ada@example.com")
    try await home.update(squatter.id) { $0.emailVerified = false }

    _ = try await home.graph.undo(receipt.id, force: true, by: home.admin)

    #expect(try await home.account(account.id).email == email)
    #expect(try await home.account(squatter.id).email == nil)
  }

  @Test func `a rekey since is kept`() async throws {
    let account = try await home.shared()
    let receipt = try await home.split(account.id, [TestHome.key("ada")])
    let rekey = try await home.rekey()
    try await home.commit(rekey, ["ada": "ada2"])
    _ = try await home.graph.undo(receipt.id, by: home.admin)
    let restored = try await home.account(account.id)
    #expect(restored.owns(TestHome.key("ada2")) && restored.owns(TestHome.key("ada")))
    #expect(restored.identities.count == 3)
  }

  @Test func `a disabled account is not enabled by an undo that is not forced`() async throws {
    let account = try await home.shared()
    let receipt = try await home.split(account.id, [TestHome.other("bo")])
    _ = try await home.graph.setDisabled(true, account.id, by: home.admin)
    try await isRefused(receipt.id, force: false, "disabled of \(account.id)")
  }

  @Test func `an event that is none of them says so`() async throws {
    let account = try await home.shared()
    let receipt = try await home.split(account.id, [TestHome.other("bo")])
    let error = await expectError(.undoRefused) {
      try await home.graph.undoMerge(receipt.id, by: home.admin)
    }
    #expect(error?.remedy?.contains("accounts.undo") == true)
    await expectError(.eventNotFound) { try await home.graph.undo("none", by: home.admin) }
    await expectError(.eventNotFound) { try await home.graph.undoTransfer("none", by: home.admin) }
  }

  @Test func `the journal goes with all accounts, and with the scope`() async throws {
    let account = try await home.shared()
    try await home.split(account.id, [TestHome.other("bo")])
    try await home.graph.deleteAllAccounts(by: home.admin)
    let records = try await home.graph.store.read {
      try $0.oneTimeRecords(.transfer, after: nil, limit: 10, in: home.scope)
    }
    #expect(records.isEmpty)
  }
}
