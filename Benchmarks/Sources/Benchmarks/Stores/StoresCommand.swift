public import ArgumentParser
import Foundation
public import MeasuredWork

/// Compares the stores with C on the same tables.
struct StoresCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stores", abstract: "Every operation on every store, beside C on the same tables.")

  @Option(parsing: .upToNextOption, help: "Numbers of accounts.")
  var accounts = [10_000, 100_000, 1_000_000]
  @Option(parsing: .upToNextOption, help: "The numbers of simultaneous callers.")
  var callers = [1, 32]
  @Option(parsing: .upToNextOption, help: "memory, sqlite, postgres.")
  var stores = StoreBench.Kind.allCases
  @Option(
    parsing: .upToNextOption, help: "sign-in, link, unlink, merge, by-policy, list, list-json.")
  var operations = StoreOperation.allCases
  @Option(help: "Rounds that count, of each side in turns.") var rounds = 5
  @Option(help: "The size of a round, relative to the usual one.") var share = 1.0
  @Option(help: "The seed of the order of accounts.") var seed: UInt64 = 1
  @Option(help: "A file for the results as JSON.") var json: String?

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
