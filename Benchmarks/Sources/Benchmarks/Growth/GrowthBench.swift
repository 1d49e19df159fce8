import AuthTesting
import Foundation
import GrowthModel
import MeasuredWork
import PostgresStore

/// Measures the cost of each operation at some sizes and numbers of callers, on a PostgreSQL server of its own.
struct GrowthBench {
  var sizes = [10_000, 100_000]
  var callers = [1, 4, 16]
  var seconds = 1.5
  var rounds = 3
  var seed: UInt64 = 1
  /// The cores that callers and database share.
  let cores = ProcessInfo.processInfo.activeProcessorCount

  func run() async throws -> MeasuredCosts {
    var options = PostgresServer.Options()
    options.settings = [
      "max_wal_size": "8GB", "checkpoint_timeout": "30min", "shared_buffers": "4GB",
    ]
    let server = try PostgresServer(options)
    defer { try? server.stop() }
    let population = Population(server: server)
    let version = try server.run("SHOW server_version")
    let place = "\(Date().formatted(.iso8601)), \(cores) cores, PostgreSQL \(version)"
    print("growth: \(place), seed \(seed)")
    var costs = MeasuredCosts(place: place, cores: cores, sizes: [])
    for size in sizes.sorted() {
      let made = min(size, Self.madeOneByOne)
      try await population.make(made)
      try population.multiply(by: size / made)
      let cost = try await measure(population)
      GrowthReport.show(cost)
      costs.sizes.append(cost)
    }
    return costs
  }

  /// The number of accounts that are made as a server makes them; the others are copies.
  private static let madeOneByOne = 5_000
  /// The number of accounts that are reserved for round trips.
  private static let distant = 300

  private func measure(_ population: Population) async throws -> SizeCosts {
    let server = population.server
    var cost = SizeCosts(
      accounts: try population.accounts, tables: try population.tables(),
      leafPages: try population.leafPages(), flush: FlushTime.measure(in: server.folder ?? "/tmp"),
      indexRow: try population.indexRowTime(),
      operations: [], measured: [])
    let store = try PostgresStore(url: population.url())
    defer { store.close() }
    let sample = try population.sample(45_000, seed: seed)
    let operations = GrowthOperations(
      Population.graph(on: store), Array(sample.dropFirst(Self.distant)),
      serial: 1_000_000_000)
    let load = CallerLoad(operations: operations, meter: try ServerMeter(server))
    // Until all used pages are in memory, and every connection has prepared every statement.
    try await operations.visitEverybody(callers: 16)
    for kind in GrowthOperations.Kind.allCases {
      let limit = kind == .merge ? 160 : Int.max
      _ = try await load.run(kind, callers: 16, seconds: 2, limit: limit)
    }
    let trips = try await roundTrips(population, operations, Array(sample.prefix(Self.distant)))
    let all = try await outcomes(of: operations, load)
    for (one, turns) in all where !one.isOnOneCore {
      let sum = Self.sum(turns)
      let shared = all.first { $0.one.kind == one.kind && $0.one.isOnOneCore }
      let single = all.first {
        $0.one.kind == one.kind && $0.one.callers == 1 && !$0.one.isOnOneCore
      }
      let onOneCore = Self.sum(shared?.turns ?? [])
      let alone = Self.sum(single?.turns ?? [])
      if one.callers == 1 {
        var spent = onOneCore.cost(one.kind, roundTrips: trips[one.kind] ?? 1)
        spent.latencies = Quantiles.table(200, ofSorted: sum.latencies.sorted())
        cost.operations.append(spent)
      }
      var measured = sum.measurement(
        one.kind, callers: one.callers,
        transactionsAlone: alone.spent.transactions / alone.count)
      let rates = turns.map { $0.count / $0.seconds }.sorted()
      measured.rate = rates[rates.count / 2]
      cost.measured.append(measured)
    }
    return cost
  }

  private static func sum(_ turns: [CallerLoad.Outcome]) -> CallerLoad.Outcome {
    turns.reduce(into: CallerLoad.Outcome()) { $0.add($1) }
  }

  private typealias Case = (
    kind: GrowthOperations.Kind, callers: Int, isOnOneCore: Bool
  )

  /// The number of callers that share the one core on which an operation's CPU time is measured.
  private static let sharing = 4

  /// Runs every operation with some callers on one core and with every number of callers on all cores, in turns.
  private func outcomes(
    of operations: GrowthOperations, _ load: CallerLoad
  ) async throws -> [(one: Case, turns: [CallerLoad.Outcome])] {
    let loads = [(Self.sharing, true)] + callers.map { ($0, false) }
    var all = loads.flatMap { callers, isOnOneCore in
      GrowthOperations.Kind.allCases.map { kind in
        (one: Case(kind, callers, isOnOneCore), turns: [CallerLoad.Outcome]())
      }
    }
    // A merge uses its accounts up.
    let share = (operations.left(.merge) ?? 0) / (rounds * loads.count)
    for _ in 0..<rounds {
      for index in all.indices {
        // A pause for other processes of the machine.
        try await Task.sleep(for: .seconds(seconds))
        let one = all[index].one
        let core = one.isOnOneCore ? try OneCore(try load.meter.processes(), cores: cores) : nil
        let limit = one.kind == .merge ? share : Int.max
        let outcome = try await load.run(
          one.kind, callers: one.callers, seconds: seconds, limit: limit)
        try core?.end(cores: cores)
        all[index].turns.append(outcome)
      }
    }
    return all
  }

  /// Returns the round trips of each operation, computed from its additional time with delayed requests.
  private func roundTrips(
    _ population: Population, _ operations: GrowthOperations, _ people: [Population.Person]
  ) async throws -> [GrowthOperations.Kind: Double] {
    guard let port = population.server.port else { return [:] }
    let delay = 0.01
    let proxy = try DelayingProxy(to: port, delay: delay)
    defer { proxy.close() }
    let store = try PostgresStore(url: population.url(port: proxy.port, connections: 1))
    defer { store.close() }
    let far = GrowthOperations(
      Population.graph(on: store), people, serial: 900_000_000)
    var trips: [GrowthOperations.Kind: Double] = [:]
    for kind in GrowthOperations.Kind.allCases {
      var times: [[Double]] = []
      for operations in [operations, far] {
        var taken: [Double] = []
        for _ in 0..<15 {
          let start = ContinuousClock.now
          guard try await operations.perform(kind) else { break }
          taken.append((ContinuousClock.now - start) / .seconds(1))
        }
        times.append(taken.sorted())
      }
      guard let near = times[0].first, let longer = times[1].first else { continue }
      trips[kind] = ((longer - near) / delay).rounded()
    }
    return trips
  }
}
