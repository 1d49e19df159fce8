import AuthCore
import AuthTesting
import BuiltInProviders
import CLimits
import Foundation
import LuaPlugins
import Synchronization

/// One of the two that are compared: does an operation on accounts by their numbers.
protocol Contender: Sendable {
  func run(_ operation: Operation, on numbers: [UInt32], callers: Int) async throws -> Run
}

struct LimitFailure: Error, CustomStringConvertible {
  let description = String(cString: limits_error())
}

/// Who takes which turn.
final class Turns: Sendable {
  private let count = Atomic(0)

  func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}

/// A store of ours, behind the graph where something is decided.
final class OurStore: Contender {
  let store: any AccountStore
  private let graph: AccountGraph
  /// Where the next page begins.
  private let place = Mutex<AccountID?>(nil)

  init(_ store: any AccountStore, policies: LuaPolicyCompiler = LuaPolicyCompiler()) {
    self.store = store
    graph = AccountGraph(
      store: store,
      providers: ProviderRegistry([FakeProvider(id: Workload.linked), FakeProvider(id: .google)]),
      // A merge that takes a verified address away keeps a sealed code for it.
      policies: policies, services: GraphServices(secrets: EphemeralSealing()))
  }

  func run(_ operation: Operation, on numbers: [UInt32], callers: Int) async throws -> Run {
    let people = numbers.map(Workload.Texts.init)
    let count = operation.isMerge ? people.count / 2 : people.count
    let usual = try await store.settings(of: Workload.scope)
    if operation == .policyMerge { try await usePolicy() }
    let turns = Turns()
    let run = try await Run.timed {
      try await withThrowingTaskGroup(of: [Double].self) { group in
        for _ in 0..<callers {
          group.addTask {
            var latencies: [Double] = []
            while true {
              let index = turns.next()
              guard index < count else { return latencies }
              let start = ContinuousClock.now
              try await self.perform(operation, people, index)
              latencies.append((ContinuousClock.now - start) / .microseconds(1))
            }
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
    }
    if operation == .policyMerge {
      try await store.write { try $0.save(usual, for: Workload.scope) }
    }
    return run
  }

  private func perform(
    _ operation: Operation, _ people: [Workload.Texts], _ index: Int
  ) async throws {
    let scope = Workload.scope
    switch operation {
    case .signIn:
      let key = IdentityKey(.google, subject: people[index].google)
      let account = try await store.lookUp { reader in
        try reader.account(owning: key, in: scope)
      }
      guard account?.identities.count ?? 0 >= 3 else {
        throw AuthError(.userNotFound, "An account is not there.")
      }
    case .link:
      let person = people[index]
      let credential = try FakeProvider(id: Workload.linked).credential(
        subject: person.github, email: person.email, emailVerified: true,
        displayName: person.name, photoURL: person.photo)
      _ = try await graph.link(credential, to: person.id, by: session(person.id))
    case .unlink:
      let id = people[index].id
      _ = try await graph.unlink(Workload.linked, from: id, by: session(id))
    case .merge:
      let plan = try await graph.planMerge(
        keep: people[2 * index].id, absorb: people[2 * index + 1].id, in: scope)
      _ = try await graph.commit(plan, by: Caller(scope: scope, authority: .admin("bench")))
    case .policyMerge:
      let (current, other) = (people[2 * index], people[2 * index + 1])
      let credential = try FakeProvider(id: .google).credential(
        subject: other.google, email: other.email, emailVerified: true)
      let receipt = try await graph.link(credential, to: current.id, by: session(current.id))
      guard receipt.action == .merge else {
        throw AuthError(.internalError, "The policy did not merge.")
      }
    case .list: _ = try await nextPage()
    case .listJSON:
      let page = try await nextPage()
      var writer = JSONWriter()
      for account in page { writer.object(account.writeMembers) }
      guard writer.count >= page.count else {
        throw AuthError(.internalError, "A page was not written.")
      }
    }
  }

  private func nextPage() async throws -> [Account] {
    let after = place.withLock(\.self)
    let page = try await graph.accounts(after: after, limit: 1000, in: Workload.scope)
    place.withLock { $0 = page.count < 1000 ? nil : page.last?.id }
    return page
  }

  /// Lets the policy answer conflicts, and accounts have what both of them had.
  private func usePolicy() async throws {
    try await store.write { writer in
      var settings = try writer.settings(of: Workload.scope)
      settings.mergePolicy = PolicyBench.source
      settings.identitiesPerProvider = .many
      try writer.save(settings, for: Workload.scope)
    }
  }

  /// A session that has just begun; an unlink just before ended what began before the next full second.
  private func session(_ id: AccountID) -> Caller {
    let begun = Timestamp.now().adding(seconds: 2)
    return Caller(
      scope: Workload.scope, authority: .session(id, signedInAt: begun, secondFactor: false))
  }
}
