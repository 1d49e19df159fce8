import AuthCore
import AuthTesting
import Testing
import TestSupport

/// An edit that leaves an account as it was writes nothing, not even an event.
@Suite struct `An edit that changes nothing` {
  let home = TestHome()

  private func events() async throws -> Int {
    try await home.graph.events(limit: 100, in: home.scope).count
  }

  private func ada() async throws -> Account {
    let id = try await home.signIn(home.credential("1", email: "ada@example.com", name: "Ada"))
      .account.id
    return try await home.account(id)
  }

  @Test func `has a receipt without an event, and no new revision`() async throws {
    let ada = try await ada()
    let before = try await events()
    var same = ProfileChanges()
    same.displayName = .set("Ada")
    same.disabled = false

    for changes in [ProfileChanges(), same] {
      let receipt = try await home.graph.update(ada.id, changes, by: home.admin)
      #expect(receipt.isUnchanged && receipt.accountID == ada.id && receipt.action == .update)
    }

    #expect(try await events() == before)
    #expect(try await home.account(ada.id) == ada)
  }

  @Test func `is disabling a disabled account, and enabling an enabled one`() async throws {
    let ada = try await ada()
    #expect(try await home.graph.setDisabled(false, ada.id, by: home.admin).isUnchanged)
    #expect(try await !home.graph.setDisabled(true, ada.id, by: home.admin).isUnchanged)
    let before = try await events()

    #expect(try await home.graph.setDisabled(true, ada.id, by: home.admin).isUnchanged)

    #expect(try await events() == before)
    #expect(try await !home.graph.setDisabled(false, ada.id, by: home.admin).isUnchanged)
    #expect(try await events() == before + 1)
  }

  @Test func `is refused like any other edit`() async throws {
    await expectError(.userNotFound) {
      try await home.graph.update(AccountID("nobody"), ProfileChanges(), by: home.admin)
    }
    #expect(try await events() == 1)
  }

  @Test func `returns the account to its caller`() async throws {
    let ada = try await ada()
    let result = try await home.graph.update(ada.id, AccountUpdate(), by: home.admin)
    #expect(result.account == ada)
  }
}

@Suite struct `Undoing what is no merge` {
  let home = TestHome()

  @Test func `is refused with what the event is`() async throws {
    let ada = try await home.signIn(home.credential("1")).account
    let disabled = try await home.graph.setDisabled(true, ada.id, by: home.admin)

    let error = await expectError(.undoRefused) {
      try await home.graph.undoMerge(disabled.id, by: home.admin)
    }

    #expect(
      error?.message
        == "The event \(disabled.id) is of the action disable. Only merges can be undone.")
    #expect(error?.remedy?.contains("merge.list()") == true)
  }

  @Test func `stays an unknown event if there is none`() async throws {
    await expectError(.eventNotFound) {
      try await home.graph.undoMerge("unknown", by: home.admin)
    }
  }
}
