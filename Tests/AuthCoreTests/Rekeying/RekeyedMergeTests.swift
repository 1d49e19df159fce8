import AuthCore
import AuthTesting
import Foundation
import Testing
import TestSupport

@Suite struct `Rekeyed identities in merges` {
  let home = TestHome()

  private func pair() async throws -> (Account, Account) {
    (
      try await home.signIn(home.credential("1")).account,
      try await home.signIn(home.credential("2", provider: TestHome.other)).account
    )
  }

  private func merge(_ keep: Account, _ absorb: Account) async throws -> Receipt {
    let plan = try await home.graph.planMerge(keep: keep.id, absorb: absorb.id, in: home.scope)
    return try await home.graph.commit(plan, by: home.admin)
  }

  @Test func `a merge carries both keys, and its undo takes them back`() async throws {
    let (ada, other) = try await pair()
    let rekey = try await home.rekey()
    try await home.commit(rekey, ["1": "n1"])
    let before = try await home.contents()
    let receipt = try await merge(other, ada)
    #expect(try await home.signIn(home.credential("1")).account.id == other.id)
    _ = try await home.graph.undoMerge(receipt.id, by: home.admin)
    #expect(try await home.contents().map(\.identities.count) == before.map(\.identities.count))
    #expect(try await home.signIn(home.credential("1")).account.id == ada.id)
    #expect(try await home.signIn(home.credential("n1")).account.id == ada.id)
  }

  @Test(arguments: [true, false])
  func `an undo gives the identity as the rekey left it`(_ finishes: Bool) async throws {
    let (ada, other) = try await pair()
    let rekey = try await home.rekey()
    try await home.commit(rekey, ["1": "n1"])
    let receipt = try await merge(other, ada)
    if finishes {
      try await home.finish(rekey, force: true)
    } else {
      try await home.rollBack(rekey)
    }
    _ = try await home.graph.undoMerge(receipt.id, by: home.admin)
    let identity = try await home.account(ada.id).identities[0]
    #expect(identity.key.subject == (finishes ? "n1" : "1") && identity.predecessors.isEmpty)
  }

  @Test func `an undo of an older merge gives the keys of the rekey, and loses nothing`()
    async throws
  {
    let (ada, other) = try await pair()
    let receipt = try await merge(other, ada)
    let rekey = try await home.rekey()
    try await home.commit(rekey, ["1": "n1"])

    _ = try await home.graph.undoMerge(receipt.id, by: home.admin)

    for subject in ["1", "n1"] {
      #expect(try await home.signIn(home.credential(subject)).account.id == ada.id)
    }
    #expect(try await home.rollBack(rekey) == 1)
    #expect(try await home.account(ada.id).identities[0].key == ada.identities[0].key)
  }

  @Test func `an undo gives no account a key that the other one had`() async throws {
    let first = try await home.signIn(home.credential("1")).account
    let second = try await home.signIn(home.credential("2")).account
    let receipt = try await merge(second, first)
    try await home.commit(home.rekey(), ["1": "2"])
    #expect(try await home.account(second.id).identities.map(\.key.subject) == ["2"])

    _ = try await home.graph.undoMerge(receipt.id, force: true, by: home.admin)

    #expect(try await home.signIn(home.credential("1")).account.id == first.id)
    #expect(try await home.signIn(home.credential("2")).account.id == second.id)
  }

  @Test func `an undo is refused if a third account took a freed key`() async throws {
    let (ada, other) = try await pair()
    let receipt = try await merge(other, ada)
    let rekey = try await home.rekey()
    try await home.commit(rekey, ["1": "n1"])
    try await home.finish(rekey, force: true)
    #expect(try await home.signIn(home.credential("1")).isNewUser)
    await expectError(.undoRefused) {
      try await home.graph.undoMerge(receipt.id, force: true, by: home.admin)
    }
  }

  @Test func `identities from before rekeys are read`() async throws {
    let text = #"""
      {"key":{"provider":"google.com","issuer":"","subject":"1"},"profile":{},
      "emailVerified":false,"origin":"credential","linkedAt":7}
      """#
    let identity = try JSONDecoder().decode(Identity.self, from: Data(text.utf8))
    #expect(identity.predecessors.isEmpty && identity.key.subject == "1")
  }

  @Test func `two accounts merged in the middle of a commit are rekeyed once`() async throws {
    let (ada, other) = try await pair()
    let rekey = try await home.rekey()
    let (page, last) = try await home.graph.page(of: rekey, after: nil, limit: 9, in: home.scope)
    _ = try await merge(other, ada)
    let result = try await home.graph.commit(
      rekey, page, last: last, map: [rekey.from.key("1"): rekey.to.key("n1")],
      progress: RekeyProgress(), by: home.admin)
    #expect(result.progress.rekeyed == 1)
    #expect(try await home.signIn(home.credential("n1")).account.id == other.id)
  }
}
