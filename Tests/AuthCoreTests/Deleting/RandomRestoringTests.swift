import AuthTesting
import FakeVendors
import Testing
import TestSupport

@testable import AuthCore

/// Random histories of sign-ups, deletions and restores, with what always holds.
@Suite struct `Random deletions and restores` {
  private enum Step: CaseIterable {
    case enter, signUp, verify, setNumber, merge, undo, delete, deleteForever, restore, force
    case create, purge, wait
  }

  /// The deletions that can be undone, by uid, with the account before.
  private typealias Kept = [AccountID: Account]

  @Test(arguments: UInt64(1)...12)
  func `nothing is taken from another account`(_ seed: UInt64) async throws {
    let home = TestHome(seed: seed)
    var generator = SeededGenerator(seed: seed)
    var (kept, merges, restores) = (Kept(), [String](), 0)
    for number in 0..<250 {
      home.clock.advance(seconds: 1)
      let before = try await home.everything()
      let step = Step.allCases.randomElement(using: &generator) ?? .enter
      let account = before.randomElement(using: &generator)
      let deleted = kept.keys.sorted().randomElement(using: &generator)
      let name = "p\(Int.random(in: 0..<6, using: &generator))"
      let place = "step \(number) of seed \(seed): \(step) \(name)"
      do {
        switch step {
        case .enter: _ = try await home.signIn(home.credential(name))
        case .signUp:
          _ = try await home.graph.signUp(
            home.password("\(name)@example.com", "secret of \(name)"), by: home.anyone)
        case .verify:
          guard let account else { continue }
          try await home.update(account.id) { $0.emailVerified = true }
        case .setNumber:
          guard let account else { continue }
          let digits = Int.random(in: 100..<104, using: &generator)
          try await home.update(account.id) {
            $0.phoneNumber = .set(try PhoneNumber("+15550100\(digits)"))
          }
        case .merge:
          guard let keep = account, let absorb = before.randomElement(using: &generator) else {
            continue
          }
          let plan = try await home.graph.planMerge(
            keep: keep.id, absorb: absorb.id, in: home.scope)
          merges.append(try await home.graph.commit(plan, by: home.admin).id)
        case .undo:
          guard let merge = merges.randomElement(using: &generator) else { continue }
          _ = try await home.graph.undoMerge(merge, force: true, revive: true, by: home.admin)
        case .delete:
          guard let account else { continue }
          _ = try await home.graph.delete(account.id, restorable: true, by: home.admin)
          kept[account.id] = account
        case .deleteForever:
          guard let account else { continue }
          _ = try await home.graph.delete(account.id, by: home.admin)
        case .restore, .force:
          guard let deleted, let was = kept[deleted] else { continue }
          _ = try await home.graph.restore(deleted, force: step == .force, by: home.admin)
          restores += 1
          let after = try await home.everything()
          #expect(after.filter { $0.id != deleted } == before, "\(place)")
          let back = try #require(after.first { $0.id == deleted })
          #expect(Set(back.identities.keys).isSubset(of: was.identities.keys), "\(place)")
          #expect(back.email == nil || back.email == was.email, "\(place)")
          #expect(back.ownership != was.ownership, "\(place)")
          if step == .restore { #expect(back.identities == was.identities, "\(place)") }
          kept[deleted] = nil
        case .create:
          guard let deleted else { continue }
          _ = try await home.graph.create(ProfileChanges(), uid: deleted, by: home.admin)
          Issue.record("\(deleted) was given away: \(place)")
        case .purge:
          guard let deleted, number.isMultiple(of: 3) else { continue }
          _ = try await home.graph.purge(deleted, by: home.admin)
          kept[deleted] = nil
        case .wait: try await home.graph.sweep()
        }
      } catch let error as AuthError {
        #expect(error.code != .internalError && error.code != .tooMuchContention, "\(place)")
        #expect(try await home.everything() == before, "\(place): \(error)")
      }
      // An undo revives a deleted survivor, which has then nothing to restore.
      for account in try await home.everything() { kept[account.id] = nil }
      try await expectOneOwner(home, place)
    }
    #expect(restores > 0)
  }

  private func expectOneOwner(_ home: TestHome, _ place: String) async throws {
    let accounts = try await home.everything()
    let keys = accounts.flatMap(\.identities).flatMap(\.keys)
    #expect(Set(keys).count == keys.count, "\(place)")
    let verified = accounts.filter(\.emailVerified).compactMap { $0.email?.canonical }
    #expect(Set(verified).count == verified.count, "\(place)")
    let numbers = accounts.compactMap(\.phoneNumber)
    #expect(Set(numbers).count == numbers.count, "\(place)")
  }
}
