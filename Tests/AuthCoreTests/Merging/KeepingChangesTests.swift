import AuthTesting
import Testing
import TestSupport

@testable import AuthCore

/// An undo after later changes shows what would be, and keeps later values of named fields.
@Suite struct `Undoing after later changes` {
  let home = TestHome()

  /// Merges two accounts, and changes the name and the claims of the result.
  private func merged() async throws -> (keep: Account, absorb: Account, merge: String) {
    let keep = try await home.signIn(
      home.credential("1", email: "a@example.com", name: "Ada")
    ).account
    let absorb = try await home.signIn(
      home.credential("9", email: "b@example.com", provider: TestHome.other, name: "A. L.")
    ).account
    let receipt = try await home.graph.commit(
      home.graph.planMerge(keep: keep.id, absorb: absorb.id, in: home.scope), by: home.admin)
    home.clock.advance(seconds: 60)
    try await home.update(keep.id) {
      $0.displayName = .set("Countess")
      $0.customClaims = .set(try CustomClaims(text: #"{"role":"editor"}"#))
    }
    return (keep, absorb, receipt.id)
  }

  private var rehearsing: Caller {
    var caller = home.admin
    caller.dryRun = true
    return caller
  }

  @Test func `a rehearsal shows both accounts beside what is there now, and what is lost`()
    async throws
  {
    let (keep, absorb, merge) = try await merged()
    let before = try await home.everything()
    let receipt = try await home.graph.undoMerge(merge, keep: [.displayName], by: rehearsing)

    let undo = try #require(receipt.undo)
    #expect(undo.now?.displayName == "Countess")
    #expect(undo.survivor.id == keep.id && undo.survivor.displayName == "Countess")
    #expect(undo.absorbed.id == absorb.id && undo.absorbed.displayName == "A. L.")
    #expect(undo.changes.map(\.name) == ["displayName", "customClaims"])
    #expect(undo.changes.map(\.isKept) == [true, false])
    #expect(undo.changes.first.map { [$0.merged, $0.now] } == ["Ada", "Countess"])
    #expect(undo.lost.map(\.name) == ["customClaims"])
    #expect(undo.refusal?.code == .undoRefused)
    let name = undo.rows.first { $0.name == "displayName" }
    #expect(name.map { [$0.now, $0.survivor, $0.absorbed] } == ["Countess", "Countess", "A. L."])
    let identities = undo.rows.first { $0.name == "identities" }
    #expect(
      identities.map { [$0.now, $0.survivor, $0.absorbed] }
        == ["fake.example/1, other.example/9", "fake.example/1", "other.example/9"])
    #expect(try await home.everything() == before)
  }

  @Test func `named fields keep their later values, and need no force`() async throws {
    let (keep, absorb, merge) = try await merged()
    let refusal = await expectError(.undoRefused) {
      try await home.graph.undoMerge(merge, keep: [.displayName], by: home.admin)
    }
    #expect(refusal?.message == "Changes made since would be lost: customClaims.")
    #expect(refusal?.remedy?.contains(#"{ keep = { "customClaims" } }"#) == true)
    let receipt = try await home.graph.undoMerge(
      merge, keep: [.displayName, .customClaims, .photoURL], by: home.admin)

    let kept = try await home.account(keep.id)
    #expect(kept.displayName == "Countess" && kept.customClaims?.members == ["role": "editor"])
    #expect(kept.identities == keep.identities && kept.email == keep.email)
    let returned = try await home.account(absorb.id)
    #expect(returned.displayName == "A. L." && returned.customClaims == nil)
    let event = try await home.graph.event(receipt.id, in: home.scope)
    // A field without a later change is restored, and was not kept.
    #expect(event.details["kept"] == ["displayName", "customClaims"])
    let step = receipt.trace.steps.first { $0.rule == "changes since the merge" }
    #expect(step?.result == "none")
  }

  @Test func `force keeps what is named and loses the rest`() async throws {
    let (keep, _, merge) = try await merged()
    _ = try await home.graph.undoMerge(
      merge, force: true, keep: [.customClaims], by: home.admin)
    let kept = try await home.account(keep.id)
    #expect(kept.displayName == "Ada" && kept.customClaims?.members == ["role": "editor"])
  }

  @Test func `a ban is kept with the sessions that it ended`() async throws {
    let (keep, absorb, merge) = try await merged()
    _ = try await home.graph.setDisabled(true, keep.id, by: home.admin)
    let old = home.session(absorb.id)
    home.clock.advance(seconds: 60)
    _ = try await home.graph.undoMerge(
      merge, keep: [.displayName, .customClaims, .disabled], by: home.admin)
    #expect(try await home.account(keep.id).disabled)
    #expect(try await !home.account(absorb.id).disabled)
    // The end of sessions was of the merged account, and so of both.
    await expectError(.userTokenExpired) {
      try await home.graph.revokeSessions(of: absorb.id, by: old)
    }
  }

  @Test func `attack 3: nothing that decides who signs in is kept`() async throws {
    let (keep, _, merge) = try await merged()
    _ = try await home.graph.assert(
      .phone(try PhoneNumber("+15555550100")), profile: IdentityProfile(), on: keep.id,
      by: home.admin)
    for name in ["email", "phoneNumber", "password", "identities", "secondFactors"] {
      let error = await expectError(.invalidArgument) { try KeptField(named: name) }
      #expect(error?.field == "keep" && error?.message.contains("who can sign in") == true)
    }
    let error = await expectError(.invalidArgument) { try KeptField(named: "displayname") }
    #expect(error?.remedy?.contains("displayName") == true)
    await expectError(.undoRefused) {
      try await home.graph.undoMerge(merge, keep: Set(KeptField.allCases), by: home.admin)
    }
  }

  @Test func `a deleted account has no later values`() async throws {
    let (keep, _, merge) = try await merged()
    _ = try await home.graph.delete(keep.id, by: home.admin)
    let error = await expectError(.undoRefused) {
      try await home.graph.undoMerge(
        merge, revive: true, keep: [.displayName], by: home.admin)
    }
    #expect(error?.message.contains("no later value") == true)
    _ = try await home.graph.undoMerge(merge, revive: true, by: home.admin)
  }
}
