public import ArgumentParser
import Foundation
public import MeasuredWork

/// Compares the stores with C on the same tables.
struct StoresCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stores", abstract: "Every operation on every store, beside C on the same tables.")

  @Option(parsing: .upToNextOption, help: "Numbers of accounts.")
  var accounts = [10_000, 100_000, 1_000_000]
  @Option(parsing: .upToNextOption, help: "How many ask at once.") var callers = [1, 32]
  @Option(parsing: .upToNextOption, help: "memory, sqlite, postgres.")
  var stores = StoreBench.Kind.allCases
  @Option(
    parsing: .upToNextOption, help: "sign-in, link, unlink, merge, by-policy, list, list-json.")
  var operations = StoreOperation.allCases
  @Option(help: "Rounds that count, of each side in turns.") var rounds = 5
  @Option(help: "How much a round does, as a part of the usual.") var share = 1.0
  @Option(help: "Which accounts come when.") var seed: UInt64 = 1
  @Option(help: "Where the results go as JSON.") var json: String?

  func validate() throws {
    guard accounts.allSatisfy({ $0 >= 100 }), callers.allSatisfy({ $0 > 0 }), rounds > 0, share > 0
    else { throw ValidationError("Name at least 100 accounts, and more than 0 of the rest.") }
  }

  func run() async throws {
    var bench = StoreBench()
    bench.sizes = accounts
    bench.callers = callers
    bench.operations = operations
    bench.rounds = rounds
    bench.share = share
    bench.seed = seed
    let results = try await bench.run(on: stores)
    for growth in results.growth { print(growth.line) }
    try results.write(json: json)
  }
}

extension StoreBench.Kind: ExpressibleByArgument {}
extension StoreOperation: @retroactive ExpressibleByArgument {}
