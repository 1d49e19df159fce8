import AuthCore
import AuthTesting
import RandomOperations
import Testing

/// The graph under test and the model beside it.
actor RandomRig {
  private let graph: AccountGraph
  private let store: any AccountStore
  private let writers: any RandomWriters
  private let scope = RandomGraph.scope
  private var population = Population()
  private var model = ReferenceModel()
  private var lastSequence: Int64 = 0
  /// The number of times that the order differed from that of the events.
  private(set) var repairs = 0

  init(store: any AccountStore, writers: any RandomWriters) async throws {
    self.store = store
    self.writers = writers
    let random = RandomGraph(store: store)
    graph = random.graph
    try await OutboxConsumer.note(store, at: .now())
    try await random.prepare()
    lastSequence = try await graph.events(limit: 1, in: scope).first?.sequence ?? 0
  }

  /// Runs a round of the writers, and compares the store with the model.
  func run(round: Int, seed: UInt64, count: Int) async throws {
    let population = population
    func order(_ writers: [Int]) -> RoundOrder {
      RoundOrder(seed: seed, round: round, writers: writers, count: count, population)
    }
    let records = try await writers.write(order)
    let problems = records.filter(\.isUnavailable).compactMap(\.error)
    #expect(problems == [], "the store was there all the time")
    let events = try await eventsOfRound()
    let steps = try steps(records, events) { order([$0]).operations(of: $0) }
    let end = try await RoundEnd(
      graph: graph, store: store, aliases: aliases(after: steps),
      sessions: Array(records.compactMap(\.session).suffix(500)))
    var search = OrderSearch(model, steps)
    let isFound = search.run { model in end.difference(from: model) }
    guard isFound else {
      throw Broken(description: "round \(round): \(search.obstacle ?? "there is no order")")
    }
    repairs += search.repairs
    model = search.model
    lastSequence = events.map(\.sequence).max() ?? lastSequence
    self.population.accounts =
      Array(model.people.all.keys.sorted().prefix(150)) + model.aliases.all.keys.sorted().prefix(30)
    self.population.merges = try await graph.merges(limit: 30, in: scope).map(\.id)
    let transfers = events.filter { [.split, .move].contains($0.action) && $0.errorCode == nil }
    self.population.transfers = (self.population.transfers + transfers.map(\.id)).suffix(30)
  }

  /// Combines each operation with its result, its event and its times.
  private func steps(
    _ records: [OperationRecord], _ events: [AuditEvent],
    _ operations: (Int) -> OperationSequence
  ) throws -> [HistoryStep] {
    var left = Dictionary(events.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let imports = Dictionary(
      events.compactMap { event in event.accountID.map { ($0, event.id) } },
      uniquingKeysWith: { first, _ in first })
    var steps: [HistoryStep] = []
    for (writer, records) in Dictionary(grouping: records, by: \.writer) {
      var sequence = operations(writer)
      for record in records.sorted(by: { $0.number < $1.number }) {
        let operation = try sequence.next()
        // Imports write no event, but each has a uid.
        let imported: String? =
          if case .importAccount(let id, _) = operation { imports[id] } else { nil }
        guard let id = record.event ?? imported else { continue }
        let found = left.removeValue(forKey: id)
        let event = try #require(found, "an event that is not there: \(id)")
        steps.append(
          HistoryStep(
            writer: writer, start: record.start, end: record.end, operation: operation, event: event
          ))
      }
    }
    #expect(left.isEmpty, "unreported events: \(left.values)")
    return steps
  }

  /// Returns every uid that may be an alias at the end of the round.
  private func aliases(after steps: [HistoryStep]) -> [AccountID] {
    Array(Set(model.aliases.all.keys).union(steps.flatMap(\.event.relatedIDs)))
  }

  private func eventsOfRound() async throws -> [AuditEvent] {
    var events: [AuditEvent] = []
    var before: Int64?
    while true {
      let page = try await store.read { [scope, before] reader in
        try reader.events(about: nil, before: before, limit: 1000, in: scope)
      }.filter { $0.sequence > lastSequence }
      events += page
      guard let last = page.last else { break }
      before = last.sequence
    }
    events.reverse()
    let delivered = try await store.read { [lastSequence] reader in
      try reader.outbox(after: lastSequence, limit: 1_000_000).map(\.id)
    }
    #expect(delivered == events.map(\.id), "each event has its outbox row")
    return events
  }

  struct Broken: Error, CustomStringConvertible {
    let description: String
  }
}
