import AuthCore
import AuthTesting
import Testing

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
  func `an undo gives what the rekey came to since`(_ finishes: Bool) async throws {
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

  @Test func `an undo is refused where a third account took a key that is free since`() async throws
  {
    let (ada, other) = try await pair()
    let receipt = try await merge(other, ada)
    let rekey = try await home.rekey()
    try await home.commit(rekey, ["1": "n1"])
    await expectError(.undoRefused) {
      try await home.graph.undoMerge(receipt.id, by: home.admin)
    }
    try await home.finish(rekey, force: true)
    #expect(try await home.signIn(home.credential("1")).isNewUser)
    await expectError(.undoRefused) {
      try await home.graph.undoMerge(receipt.id, force: true, by: home.admin)
    }
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
