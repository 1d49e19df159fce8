import AuthCore
import AuthTesting
import Testing
import TestSupport

@Suite struct `Batches of merges` {
  let home = TestHome()

  /// Makes groups of three accounts, whose first has the verified address.
  private func groups(_ count: Int) async throws {
    for number in 1...count {
      let email = "p\(number)@example.com"
      try await home.add(
        "a\(number)", email: email, verified: true, age: 9, identities: [TestHome.key("\(number)")])
      try await home.add("b\(number)", email: email, age: 5) { $0.displayName = "B" }
      try await home.add("c\(number)", email: email) { $0.photoURL = "https://img.example/c" }
    }
  }

  private func contents() async throws -> [Account] {
    try await home.everything().map(\.withoutRevision)
  }

  @Test func `every merge and event has the batch, in the order of the commits`() async throws {
    try await groups(40)
    let proposals = try await home.proposals()
    let receipts = try await home.commit(proposals, asBatch: "november")

    #expect(receipts.count == 80)
    let (batch, entries) = try await home.graph.mergeBatch("november", in: home.scope)
    #expect(batch.merged == 80 && batch.actor == "admin:ada" && batch.reason == "test")
    #expect(entries.map(\.id) == receipts.map(\.id))
    let records = try await home.graph.merges(entries.map(\.id), in: home.scope)
    #expect(records.count == 80 && records.allSatisfy { $0.batch == "november" })
    for receipt in receipts.prefix(3) {
      #expect(try await home.graph.event(receipt.id, in: home.scope).batch == "november")
    }
    #expect(try await home.everything().count == 40)
    #expect(try await home.account(AccountID("c7")).displayName == "B")
  }

  @Test func `an undo as a whole leaves everything as it was`() async throws {
    try await groups(12)
    let before = try await contents()
    try await home.commit(home.proposals(), asBatch: "b")
    try await home.undo(batch: "b")
    #expect(try await contents() == before)
    let records = try await home.graph.merges(limit: 100, in: home.scope)
    #expect(records.count == 24 && records.allSatisfy { $0.undoneBy != nil })
    let undo = try #require(records.first?.undoneBy)
    #expect(try await home.graph.event(undo, in: home.scope).batch == "b")
  }

  @Test func `a batch goes on where it stopped, and merges nothing twice`() async throws {
    try await groups(3)
    let proposals = try await home.proposals()
    try await home.graph.plan(proposals.map(\.pair), forBatch: "b", by: home.admin)
    // The process ends in the middle of the second group.
    var entries = MergeBatchEntries()
    for proposal in proposals.prefix(3) {
      entries.add(
        try await home.graph.commit(
          proposal, ofBatch: "b", after: entries.lastByKept, by: home.admin
        ).entry)
    }

    let (batch, done) = try await home.graph.mergeBatch("b", in: home.scope)
    let pairs = try await home.graph.mergePairs(of: batch, in: home.scope)
    let again = try await home.proposals(for: pairs, after: done)
    #expect(again.map(\.decision) == [.done, .done, .done, .merge, .merge, .merge])
    try await home.commit(again.filter { $0.decision == .merge }, asBatch: "b")

    #expect(try await home.everything().count == 3)
    let all = try await home.graph.mergeBatchEntries(of: "b", in: home.scope)
    #expect(all.count == 6 && Set(all.map(\.absorb)).count == 6)
  }

  @Test func `a chain goes on although its own merge changed the survivor`() async throws {
    try await groups(1)
    let proposals = try await home.proposals()
    let first = try await home.graph.plan(proposals.map(\.pair), forBatch: "b", by: home.admin)
    #expect(first.planned == 2 && first.merged == 0)
    _ = try await home.graph.commit(proposals[0], ofBatch: "b", after: [:], by: home.admin)

    let entries = try await home.graph.mergeBatchEntries(of: "b", in: home.scope)
    let again = try await home.proposals(for: [proposals[1].pair], after: entries)

    #expect(again.map(\.decision) == [.merge])
    try await home.commit(again, asBatch: "b")
    #expect(try await home.everything().count == 1)
  }

  @Test func `a sign-in between plan and commit changes nothing`() async throws {
    try await groups(1)
    let proposals = try await home.proposals()
    home.clock.advance(seconds: 60)
    _ = try await home.signIn(home.credential("1"))
    #expect(try await home.commit(proposals, asBatch: "b").count == 2)
  }

  @Test func `a rehearsal writes nothing`() async throws {
    try await groups(1)
    let before = try await home.everything()
    var caller = home.admin
    caller.dryRun = true
    for proposal in try await home.proposals() {
      let (receipt, _) = try await home.graph.commit(
        proposal, ofBatch: "none", after: [:], by: caller)
      #expect(receipt.dryRun)
    }
    #expect(try await home.everything() == before)
    #expect(try await home.graph.mergeBatches(limit: 10, in: home.scope).isEmpty)
  }

  @Test func `the newest batches are listed first, and their pairs are replaced`() async throws {
    try await groups(60)
    let pairs = try await home.proposals().map(\.pair)
    try await home.graph.plan(pairs, forBatch: "one", by: home.admin)
    try await home.graph.plan([pairs[0]], forBatch: "two", by: home.admin)
    let batch = try await home.graph.plan(Array(pairs.suffix(60)), forBatch: "one", by: home.admin)

    #expect(try await home.graph.mergePairs(of: batch, in: home.scope) == Array(pairs.suffix(60)))
    let ids = try await home.graph.mergeBatches(limit: 10, in: home.scope).map(\.id)
    #expect(ids == ["two", "one"])
    #expect(try await home.graph.mergeBatches(limit: 1, in: home.scope).map(\.id) == ["two"])
  }

  @Test(arguments: ["", "a:b", "ä", "-x", String(repeating: "x", count: 65)])
  func `a text that is no batch's ID reads and writes nothing`(_ id: String) async throws {
    await expectError(.invalidArgument) { try await home.graph.mergeBatch(id, in: home.scope) }
    await expectError(.invalidArgument) {
      try await home.graph.plan([], forBatch: id, by: home.admin)
    }
  }

  // MARK: Attacks

  @Test func `only an admin plans and commits a batch`() async throws {
    try await groups(1)
    let proposals = try await home.proposals()
    try await home.graph.plan(proposals.map(\.pair), forBatch: "b", by: home.admin)
    let session = home.session(AccountID("a1"))
    await expectError(.operationNotAllowed) {
      try await home.graph.plan([], forBatch: "b", by: session)
    }
    await expectError(.operationNotAllowed) {
      try await home.graph.commit(proposals[0], ofBatch: "b", after: [:], by: session)
    }
    #expect(try await home.everything().count == 3)
  }

  @Test(arguments: ["disabled", "deleted", "merged", "renamed"])
  func `an account that changed after the plan is refused`(_ change: String) async throws {
    try await groups(1)
    let proposals = try await home.proposals()
    try await home.graph.plan(proposals.map(\.pair), forBatch: "b", by: home.admin)
    let b = AccountID("b1")
    switch change {
    case "disabled": _ = try await home.graph.setDisabled(true, b, by: home.admin)
    case "deleted": _ = try await home.graph.delete(b, by: home.admin)
    case "merged":
      _ = try await home.graph.commit(
        home.graph.planMerge(keep: AccountID("c1"), absorb: b, in: home.scope), by: home.admin)
    default: try await home.update(b) { $0.displayName = .set("Other") }
    }
    let before = try await home.everything()

    await expectError(.planOutdated) {
      try await home.graph.commit(proposals[0], ofBatch: "b", after: [:], by: home.admin)
    }

    #expect(try await home.everything() == before)
    #expect(try await home.graph.mergeBatchEntries(of: "b", in: home.scope).isEmpty)
    let event = try #require(try await home.graph.events(limit: 1, in: home.scope).first)
    #expect(event.batch == "b" && event.errorCode == "plan-outdated")
  }

  @Test func `a pair is merged once, even by two consoles`() async throws {
    try await groups(1)
    let proposals = try await home.proposals()
    try await home.commit(proposals, asBatch: "b")
    for proposal in proposals {
      await expectError(.planOutdated) {
        try await home.graph.commit(proposal, ofBatch: "b", after: [:], by: home.admin)
      }
    }
    #expect(try await home.graph.mergeBatchEntries(of: "b", in: home.scope).count == 2)
  }

  @Test func `two consoles that commit at once lose no merge of the list`() async throws {
    try await groups(40)
    let proposals = try await home.proposals()
    try await home.graph.plan(proposals.map(\.pair), forBatch: "b", by: home.admin)
    let home = home
    await withTaskGroup(of: Void.self) { tasks in
      for worker in 0..<2 {
        tasks.addTask {
          for (index, proposal) in proposals.enumerated() where index / 2 % 2 == worker {
            let entries = try? await home.graph.mergeBatchEntries(of: "b", in: home.scope)
            _ = try? await home.graph.commit(
              proposal, ofBatch: "b", after: MergeBatchEntries(entries ?? []).lastByKept,
              by: home.admin)
          }
        }
      }
    }
    let entries = try await home.graph.mergeBatchEntries(of: "b", in: home.scope)
    #expect(Set(entries.map(\.absorb)).count == 80)
    let records = try await home.graph.merges(limit: 1000, in: home.scope)
    #expect(Set(records.map(\.id)) == Set(entries.map(\.id)))
  }

  @Test func `a later change of one account is refused, and the others are undone`() async throws {
    try await groups(2)
    try await home.commit(home.proposals(), asBatch: "b")
    try await home.update(AccountID("a1")) { $0.displayName = .set("Countess") }
    var refused: [AccountID] = []
    for entry in try await home.graph.mergeBatchEntries(of: "b", in: home.scope).reversed() {
      do {
        _ = try await home.graph.undoMerge(entry.id, by: home.admin)
      } catch let error as AuthError where error.code == .undoRefused {
        refused.append(entry.absorb)
      }
    }
    #expect(refused == [AccountID("c1"), AccountID("b1")])
    #expect(try await home.everything().count == 4)
    #expect(try await home.account(AccountID("a1")).displayName == "Countess")
  }
}
