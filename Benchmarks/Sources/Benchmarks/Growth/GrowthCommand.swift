import ArgumentParser
import Foundation
import GrowthModel

/// Measures the costs of PostgreSQL at some sizes, for the model of growth.
struct GrowthCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "growth",
    abstract: "The cost of an operation on PostgreSQL, for the model of growth.")

  @Option(parsing: .upToNextOption, help: "Numbers of accounts.") var accounts: [Int] = []
  @Option(parsing: .upToNextOption, help: "The numbers of simultaneous callers, besides one alone.")
  var callers: [Int] = []
  @Option(help: "Rounds of each.") var rounds: Int?
  @Option(help: "Seconds of each round.") var seconds: Double?
  @Option(help: "The seed of the order of accounts.") var seed: UInt64 = 1
  @Option(help: "A file for the costs as JSON; printed by default.") var json: String?
  @Flag(help: "Compare the simulator with what was measured.") var check = false

  func run() async throws {
    var bench = GrowthBench()
    if !accounts.isEmpty { bench.sizes = accounts }
    if !callers.isEmpty { bench.callers = Set(callers + [1]).sorted() }
    if let rounds { bench.rounds = max(1, rounds) }
    if let seconds { bench.seconds = seconds }
    bench.seed = seed
    let costs = try await bench.run()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let text = try encoder.encode(costs)
    if let json {
      try text.write(to: URL(filePath: json))
    } else {
      print(String(decoding: text, as: UTF8.self))
    }
    if check { GrowthReport.check(costs, seed: seed) }
  }
}

/// Prints the model's results for sizes, callers and cores that were not measured.
struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Simulates what `growth --json FILE` measured.")

  @Option(help: "The file of `growth --json FILE`.") var costs: String
  @Option(parsing: .upToNextOption, help: "The numbers of simultaneous callers.")
  var callers: [Int] = []
  @Option(help: "Cores of the machine, where it is another one.") var cores: Int?
  @Option(parsing: .upToNextOption, help: "Numbers of accounts, to say what they need.")
  var sizes: [Double] = []
  @Option(help: "The seed of the random numbers.") var seed: UInt64 = 1

  func run() async throws {
    var measured = try JSONDecoder().decode(
      MeasuredCosts.self, from: Data(contentsOf: URL(filePath: costs)))
    if let cores { measured.cores = cores }
    if !sizes.isEmpty { return SizingReport.show(measured, accounts: sizes) }
    guard !callers.isEmpty else { return GrowthReport.check(measured, seed: seed) }
    show(measured)
  }

  private func show(_ measured: MeasuredCosts) {
    print("simulated from \(measured.place), \(measured.cores) cores, seed \(seed)")
    GrowthReport.row([
      "accounts", "operation", "callers", "a second", "p50 µs", "p99 µs", "repeats",
    ])
    for size in measured.sizes {
      for cost in size.operations {
        for count in callers {
          let machine = SimulatedMachine(
            cores: measured.cores, flush: size.flush, leafPages: size.leafPages)
          let one = ClosedSimulation(cost, on: machine, callers: count, seed: seed)
            .run(operations: 20_000)
          GrowthReport.row(
            ["\(size.accounts)", cost.name, "\(count)"]
              + [one.rate, one.median, one.slow].map(GrowthReport.number)
              + [GrowthReport.exact(one.repeats)])
        }
      }
    }
  }
}
