import ArgumentParser
import Foundation

/// Measures the server's memory.
struct MemoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "memory",
    abstract: "The server's memory at rest and for each connection, beside a trivial server.")

  @Option(help: "The number of accounts.") var accounts = 100_000
  @Option(help: "The number of connections that stay open.") var connections = 1000
  @Option(help: "The number of starts of each server.") var rounds = 5
  @Option(help: "A file for the results as JSON.") var json: String?

  func validate() throws {
    guard accounts >= 100, connections >= 100, rounds > 0 else {
      throw ValidationError("Name at least 100 accounts and connections, and more than 0 rounds.")
    }
  }

  func run() async throws {
    let results = try await WorkFolder.use { folder in
      try MemoryBench(
        folder: folder, accounts: accounts, connections: connections, rounds: rounds
      ).run()
    }
    for result in results { print(result.line) }
    guard let json else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(results).write(to: URL(filePath: json))
  }
}
