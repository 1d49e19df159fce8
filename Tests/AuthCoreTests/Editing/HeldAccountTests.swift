import AuthCore
import AuthTesting
import Testing
import TestSupport

/// The fate of an account between reading it and writing to it.
private enum Fate: String, CaseIterable {
  case there, merged, mergedTwice, deleted, replaced, undone
}

@Suite struct `C2: a write to an account that was read` {
  private let home = TestHome()

  private struct Operation: CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (TestHome, AccountID, Caller) async throws -> Void
  }

  private static let operations: [Operation] = [
    Operation(testDescription: "update") {
      var changes = ProfileChanges()
      changes.displayName = .set("x")
      _ = try await $0.graph.update($1, changes, by: $2)
    },
    Operation(testDescription: "disable") {
      _ = try await $0.graph.setDisabled(true, $1, by: $2)
    },
    Operation(testDescription: "revoke sessions") {
      _ = try await $0.graph.revokeSessions(of: $1, by: $2)
    },
    Operation(testDescription: "link") {
      _ = try await $0.graph.link(
        $0.credential("77", provider: TestHome.other), to: $1, by: $2)
    },
    Operation(testDescription: "assert") {
      _ = try await $0.graph.assert(
        IdentityKey(TestHome.other, subject: "78"), profile: IdentityProfile(), on: $1, by: $2)
    },
    Operation(testDescription: "unlink") {
      _ = try await $0.graph.unlink(TestHome.fake, from: $1, force: true, by: $2)
    },
    Operation(testDescription: "enroll") {
      _ = try await $0.graph.beginTOTPEnrollment(for: $1, by: $2)
    },
    Operation(testDescription: "delete") { _ = try await $0.graph.delete($1, by: $2) },
  ]

  private func person(_ subject: String, _ provider: ProviderID = TestHome.fake) async throws
    -> Account
  {
    try await home.signIn(home.credential(subject, provider: provider)).account
  }

  private func merge(_ keep: AccountID, _ absorb: AccountID) async throws -> Receipt {
    let plan = try await home.graph.planMerge(keep: keep, absorb: absorb, in: home.scope)
    return try await home.graph.commit(plan, by: home.admin)
  }

  /// Applies the fate; returns the message of the refusal, or nil if there is none.
  private func befall(_ held: Account, _ other: Account, _ fate: Fate) async throws -> String? {
    switch fate {
    case .there: return nil
    case .merged:
      _ = try await merge(other.id, held.id)
      return "\(held.id) was merged into \(other.id)."
    case .mergedTwice:
      _ = try await merge(other.id, held.id)
      let third = try await person("3")
      _ = try await merge(third.id, other.id)
      return "\(held.id) was merged into \(third.id)."
    case .deleted:
      _ = try await home.graph.delete(held.id, by: home.admin)
      return "The account \(held.id) does not exist any more."
    case .replaced:
      _ = try await home.graph.delete(held.id, by: home.admin)
      _ = try await home.graph.create(ProfileChanges(), uid: held.id, by: home.admin)
      _ = try await home.graph.assert(
        IdentityKey(TestHome.fake, subject: "1"), profile: IdentityProfile(), on: held.id,
        by: home.admin)
      return
        "\(held.id) was deleted and made anew since it was read, or taken over by another owner."
    case .undone:
      let receipt = try await merge(other.id, held.id)
      _ = try await home.graph.undoMerge(receipt.id, by: home.admin)
      return nil
    }
  }

  @Test(arguments: operations, Fate.allCases)
  private func `C2: is refused in its own transaction unless the account is there`(
    operation: Operation, fate: Fate
  ) async throws {
    let held = try await person("1")
    let other = try await person("9", TestHome.other)
    let refusal = try await befall(held, other, fate)
    let before = try await home.everything()
    for dryRun in [true, false] {
      var caller = home.admin
      caller.holds = [HeldAccount(held)]
      caller.dryRun = dryRun
      if dryRun && operation.testDescription == "enroll" { continue }
      do {
        try await operation.run(home, held.id, caller)
        #expect(refusal == nil)
      } catch let error as AuthError {
        #expect(error.message == refusal)
        #expect((error.eventID == nil) == dryRun)
        if let id = error.eventID {
          #expect(try await home.graph.event(id, in: home.scope).accountID == held.id)
        }
      }
      if refusal != nil || dryRun { #expect(try await home.everything() == before) }
    }
  }

  @Test func `C2: is refused for the survivor of an account that the caller held, too`()
    async throws
  {
    let held = try await person("1")
    let other = try await person("9", TestHome.other)
    let plan = try await home.graph.planMerge(keep: other.id, absorb: held.id, in: home.scope)
    _ = try await merge(other.id, held.id)
    var caller = home.admin
    caller.holds = [HeldAccount(held), HeldAccount(other)]
    let error = await expectError(.invalidArgument) {
      try await home.graph.commit(plan, by: caller)
    }
    #expect(error?.remedy == "Name \(other.id) if it is meant, or undo the merge first.")
  }

  @Test func `C2: a taken-over account is another owner's`() async throws {
    try await home.trust(TestHome.fake)
    var changes = ProfileChanges()
    changes.email = .set(try EmailAddress("ada@example.com"))
    let id = try await home.graph.create(changes, by: home.admin).accountID
    let held = HeldAccount(try await home.account(id))
    let owner = try await home.signIn(
      home.credential("5", email: "ada@example.com", verified: "true")
    ).account
    #expect(owner.id == id)
    #expect(try await home.graph.standing(of: held, in: home.scope) == .replaced(by: owner))
    #expect(
      try await home.graph.standing(of: HeldAccount(owner), in: home.scope).account?.id == id)
  }
}
