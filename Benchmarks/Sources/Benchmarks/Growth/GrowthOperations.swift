import AuthCore
import FakeVendors
import Foundation
import MeasuredWork
import NIOConcurrencyHelpers

/// The operations to measure, each on accounts that no other caller uses at the time.
final class GrowthOperations: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case lookUp = "lookup"
    case refresh
    case signIn = "sign-in, returning"
    case signUp = "sign-in, new"
    case unlink
    case link
    case merge

    /// The number of commits that wait for the disk; a sign-in stores its session in a second one.
    var flushes: Int {
      switch self {
      case .lookUp, .refresh: 0
      case .signIn, .signUp: 2
      case .link, .unlink, .merge: 1
      }
    }
  }

  private typealias Person = Population.Person

  private struct People {
    /// The people that are looked up.
    var all: [Person]
    var linked: [Person]
    var unlinked: [Person] = []
    var unmerged: [Person]
    var serial: Int
  }

  private let graph: AccountGraph
  private let people: NIOLockedValueBox<People>

  init(
    _ graph: AccountGraph, _ sample: [Population.Person], serial: Int
  ) {
    self.graph = graph
    let third = sample.count / 3
    people = NIOLockedValueBox(
      People(
        all: Array(sample[..<third]), linked: Array(sample[third..<(2 * third)]),
        unmerged: Array(sample[(2 * third)...]), serial: serial))
  }

  /// Returns how often an operation can still be done; nil for any number.
  func left(_ kind: Kind) -> Int? {
    people.withLockedValue { people in
      switch kind {
      case .link: people.unlinked.count
      case .unlink: people.linked.count
      case .merge: people.unmerged.count / 2
      default: nil
      }
    }
  }

  /// Performs an operation; returns false if no account is left for it.
  func perform(_ kind: Kind) async throws -> Bool {
    let scope = Population.scope
    switch kind {
    case .lookUp:
      guard let one = anyone() else { return false }
      return try await graph.account(one.id, in: scope) != nil
    case .refresh:
      guard let one = anyone() else { return false }
      let record = try await graph.store.read { try $0.session(one.session, in: scope) }
      guard let record else { return false }
      _ = try await graph.renewSession(
        provider: record.provider, identity: record.identity, showing: nil,
        by: Caller(
          scope: scope,
          authority: .session(
            record.account, signedInAt: record.signedInAt, secondFactor: false)))
    case .signIn:
      guard let one = anyone() else { return false }
      try await signIn(one)
    case .signUp:
      let serial = people.withLockedValue { people in
        people.serial += 1
        return people.serial
      }
      try await signIn(Population.Person.new(serial))
    case .link:
      guard let one = people.withLockedValue({ $0.unlinked.popLast() }) else { return false }
      _ = try await graph.link(
        try FakeProvider(id: Population.second).credential(subject: one.subject), to: one.id,
        by: Population.session(of: one.id))
      people.withLockedValue { $0.linked.append(one) }
    case .unlink:
      guard let one = people.withLockedValue({ $0.linked.popLast() }) else { return false }
      _ = try await graph.unlink(
        Population.second, from: one.id, by: Population.session(of: one.id))
      people.withLockedValue { $0.unlinked.append(one) }
    case .merge:
      let pair = people.withLockedValue { people -> (Person, Person)? in
        guard let a = people.unmerged.popLast(), let b = people.unmerged.popLast() else {
          return nil
        }
        return (a, b)
      }
      guard let (keep, absorb) = pair else { return false }
      let plan = try await graph.planMerge(keep: keep.id, absorb: absorb.id, in: scope)
      _ = try await graph.commit(plan, by: Population.admin)
    }
    return true
  }

  /// Looks up every account once.
  func visitEverybody(callers: Int) async throws {
    let everybody = people.withLockedValue { $0.all + $0.linked + $0.unmerged }
    let graph = graph
    try await withThrowingTaskGroup { group in
      for caller in 0..<callers {
        group.addTask {
          for index in stride(from: caller, to: everybody.count, by: callers) {
            _ = try await graph.account(everybody[index].id, in: Population.scope)
            _ = try await graph.store.read {
              try $0.session(everybody[index].session, in: Population.scope)
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private func anyone() -> Person? {
    people.withLockedValue { $0.all.randomElement() }
  }

  private func signIn(_ person: Person) async throws {
    let result = try await graph.signIn(try person.credential, by: Population.anyone)
    try await Population.saveSession(result, graph)
  }
}
