import AuthCore
import AuthTesting
import Foundation
import SQLiteStore
import Synchronization
import Testing

/// A hundred thousand operations by eight writers at once; `AUTHGRAPH_SEED` repeats a run's choices.
///
/// Which writer comes first is the machine's choice. So the events say in which order things happened, and
/// the model, going through them in that order, says what each should have given.
@Suite(.serialized) struct `Random operations` {
  static let seed =
    ProcessInfo.processInfo.environment["AUTHGRAPH_SEED"].flatMap(UInt64.init) ?? 20_240_607
  static let writers = 8
  static let rounds = 20
  static let operationsPerRound = 625

  @Test func `hold every invariant in the memory store`() async throws {
    try await run(on: MemoryStore(), integrity: { [] })
  }

  @Test func `hold every invariant in SQLite`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "random-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = try SQLiteStore(path: "\(folder)/accounts.db", durability: .normal)
    try await run(on: store) { try await store.checkIntegrity() }
  }

  private func run(
    on store: any AccountStore, integrity: () async throws -> [String]
  ) async throws {
    print("random operations: seed \(Self.seed)")
    let rig = try await Rig(store: store, seed: Self.seed)
    for round in 0..<Self.rounds {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<Self.writers {
          group.addTask { try await rig.write(round: round, writer: writer) }
        }
        try await group.waitForAll()
      }
      try await rig.check(round: round)
      #expect(try await integrity() == [])
    }
    let count = Self.writers * Self.rounds * Self.operationsPerRound
    #expect(count == 100_000)
  }
}

/// The graph under test beside the model.
private actor Rig {
  nonisolated let graph: AccountGraph
  nonisolated let store: any AccountStore
  nonisolated let scope = Scope(project: "random")
  nonisolated let seed: UInt64
  private var operations: [String: Operation] = [:]
  private var population = Population()
  private var model = ReferenceModel()
  private var lastSequence: Int64 = 0

  init(store: any AccountStore, seed: UInt64) async throws {
    self.store = store
    self.seed = seed
    graph = AccountGraph(
      store: store,
      providers: ProviderRegistry([
        FakeProvider(id: Operation.Claim.trusted), FakeProvider(id: Operation.Claim.untrusted),
      ]),
      policies: NoPolicies())
    let admin = Caller(scope: scope, authority: .admin("test"))
    _ = try await graph.changeSettings(by: admin) { $0.trust[Operation.Claim.trusted] = .always }
    lastSequence = try await graph.events(limit: 1, in: scope).first?.sequence ?? 0
  }

  nonisolated func write(round: Int, writer: Int) async throws {
    var generator = SeededGenerator(seed: seed &+ UInt64(round * 100 + writer))
    for number in 0..<`Random operations`.operationsPerRound {
      let operation = try Operation.random(
        await population, serial: "\(round)-\(writer)-\(number)", using: &generator)
      if let id = operation.notedID { await note(id, operation) }
      if let event = try await operation.perform(on: graph, in: scope) {
        await note(event, operation)
      }
    }
  }

  private func note(_ event: String, _ operation: Operation) {
    operations[event] = operation
  }

  /// Replays what happened in the round and compares both worlds.
  func check(round: Int) async throws {
    let events = try await eventsOfRound()
    let delivered = try await store.read { [lastSequence] reader in
      try reader.outbox(after: lastSequence, limit: 1_000_000).map(\.id)
    }
    #expect(delivered == events.map(\.id), "each event has its outbox row")
    var problems: [String] = []
    for event in events {
      let noted = operations[event.id] ?? operations["import \(event.accountID?.rawValue ?? "")"]
      let operation = try #require(noted, "an event nobody was told of: \(event)")
      let outcome = model.replay(operation, event)
      switch outcome {
      case .either: break
      case .done(let id):
        guard event.errorCode != nil || event.accountID != id else { continue }
        problems.append("the model did it for \(id): \(operation): \(event)")
      case .refused(let code):
        guard event.errorCode != code.rawValue else { continue }
        problems.append("the model refused with \(code): \(operation): \(event)")
      }
      if !problems.isEmpty { break }
    }
    try stop(problems)
    operations = [:]
    lastSequence = events.last?.sequence ?? lastSequence
    try await compare(round)
  }

  private func eventsOfRound() async throws -> [AuditEvent] {
    var events: [AuditEvent] = []
    var before: Int64?
    while true {
      let page = try await store.read { [scope, before] reader in
        try reader.events(about: nil, before: before, limit: 1000, in: scope)
      }.filter { $0.sequence > lastSequence }
      events += page
      guard let last = page.last else { return events.reversed() }
      before = last.sequence
    }
  }

  /// The first difference tells all; whatever follows from it would only hide it.
  private func stop(_ problems: [String]) throws {
    if !problems.isEmpty { throw Broken(description: problems.joined(separator: "\n")) }
  }

  struct Broken: Error, CustomStringConvertible {
    let description: String
  }

  private func compare(_ round: Int) async throws {
    var problems: [String] = []
    func check(_ holds: Bool, _ what: @autoclosure () -> String) {
      if !holds { problems.append("round \(round): \(what())") }
    }
    let accounts = try await graph.accounts(limit: 1_000_000, in: scope)
    check(Set(accounts.map(\.id)) == Set(model.people.keys), "other accounts")
    var owners: [IdentityKey: AccountID] = [:]
    var verified: [String: AccountID] = [:]
    for account in accounts {
      let person = model.people[account.id]
      check(account.email?.canonical == person?.email, "e-mail of \(account)")
      check(account.emailVerified == person?.verified, "emailVerified of \(account)")
      check(account.disabled == person?.disabled, "disabled of \(account)")
      check(
        Set(account.identities.map(\.key)) == person.map { Set($0.identities.keys) },
        "identities of \(account)")
      for identity in account.identities {
        check(
          owners.updateValue(account.id, forKey: identity.key) == nil, "owners of \(identity.key)")
      }
      if account.emailVerified, let email = account.email?.canonical {
        check(verified.updateValue(account.id, forKey: email) == nil, "owners of \(email)")
      }
    }
    let aliases = Array(model.aliases.keys)
    let found = try await store.read { [scope] reader in
      try aliases.map { try reader.resolve($0, in: scope) }
    }
    for (alias, id) in zip(aliases, found) {
      check(id == model.resolve(alias), "the alias \(alias)")
    }
    try stop(problems)
    population.accounts =
      Array(model.people.keys.sorted().prefix(150)) + model.aliases.keys.sorted().prefix(30)
    population.merges = try await graph.merges(limit: 30, in: scope).map(\.id)
  }
}

private struct NoPolicies: MergePolicyCompiler {
  func policy(_ source: PolicySource) throws(AuthError) -> any MergePolicy {
    throw AuthError(.invalidPolicy, "There are no policies here.")
  }
}
