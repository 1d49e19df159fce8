import AuthCore
import AuthTesting
import RandomOperations
import Synchronization
import Testing

/// Password resets of merged accounts, for pairs that the random operations make.
@Suite struct `Resets after merges` {
  static let seed: UInt64 = 20_261_125
  private static let operations = 4000
  private static let pairs = 600

  @Test func `leave one password, and nothing from before the proof signs in`() async throws {
    print("resets after merges: seed \(Self.seed)")
    let store = MemoryStore()
    let bits = Mutex(SeededGenerator(seed: Self.seed))
    let random = RandomGraph(store: store, random: { bits.withLock { $0.next() } })
    try await random.prepare()
    let rig = ResetRig(random.graph)
    var generator = SeededGenerator(seed: Self.seed)
    for number in 0..<Self.operations {
      let population = try await rig.population()
      let operation = try Operation.random(population, serial: "\(number)", using: &generator)
      _ = try await operation.perform(on: random.graph, in: RandomGraph.scope)
    }

    var resets = 0
    for _ in 0..<Self.pairs {
      let uids = try await rig.population().accounts
      guard uids.count > 1 else { break }
      let keep = try #require(uids.randomElement(using: &generator))
      let absorb = try #require(uids.filter { $0 != keep }.randomElement(using: &generator))
      if try await rig.mergeAndReset(keep, absorb) { resets += 1 }
      // New accounts are added, or there would soon be none left to merge.
      for number in 0..<12 {
        let operation = try Operation.random(
          try await rig.population(), serial: "\(keep)-\(number)", using: &generator)
        _ = try await operation.perform(on: random.graph, in: RandomGraph.scope)
      }
    }
    print("resets after merges: \(resets)")
    #expect(resets > 20)
  }
}

/// Merges two accounts, resets the password and checks the result.
private struct ResetRig {
  let graph: AccountGraph
  private let scope = RandomGraph.scope
  private let admin = Caller(scope: RandomGraph.scope, authority: .admin("test"))

  init(_ graph: AccountGraph) {
    self.graph = graph
  }

  func population() async throws -> Population {
    var population = Population()
    population.accounts = try await graph.accounts(limit: 1000, in: scope).map(\.id)
    population.merges = try await graph.merges(limit: 30, in: scope).map(\.id)
    return population
  }

  /// Returns true if the two could be merged, and the result had an address to reset.
  func mergeAndReset(_ keep: AccountID, _ absorb: AccountID) async throws -> Bool {
    do {
      let plan = try await graph.planMerge(keep: keep, absorb: absorb, in: scope)
      _ = try await graph.commit(plan, by: admin)
    } catch let error as AuthError {
      #expect([.mergeRefused].contains(error.code), "\(error)")
      return false
    }
    let merged = try #require(try await graph.account(keep, in: scope))
    #expect(merged.faults == [])
    guard let email = merged.email, !merged.disabled else { return false }
    let request = ActionCodeRequest(.resetPassword, email: email)
    guard let issued = try? await graph.makeActionCode(request, by: admin) else { return false }
    let holder = try await holder(of: email, merged)
    guard holder.id == merged.id else { return false }
    _ = try await graph.confirmPasswordReset(
      issued.code.reveal(), newPassword: Secret("chosen by the mailbox"), by: admin)

    let after = try #require(try await graph.account(keep, in: scope))
    let passwords = after.identities(of: .password)
    #expect(passwords.map(\.key) == [.password(email)])
    #expect(passwords.first?.secret?.encoded == "chosen by the mailbox")
    #expect(after.emailVerified)
    if !merged.emailVerified {
      // The mailbox has just proved the address, so no earlier identity may remain.
      let trust = try await graph.settings(of: scope).trust
      for identity in after.identities where identity.provider != .password {
        #expect(
          identity.emailVerified && identity.profile.email == email.text
            && trust.trusts(identity.provider, for: email), "\(identity)")
      }
      #expect(after.secondFactors.isEmpty)
    }
    return true
  }

  /// Returns the account that the reset's code is for.
  ///
  /// Several accounts may have the address unverified.
  private func holder(of email: EmailAddress, _ merged: Account) async throws -> Account {
    var filter = AccountFilter()
    filter.email = email
    let found = try await graph.accounts(matching: filter, limit: 100, in: scope)
    return found.first(where: \.emailVerified)
      ?? found.first { $0.identity(.password(email)) != nil } ?? found.first ?? merged
  }
}
