import ArgumentParser

/// Measures the HTTP server; needs wrk.
struct ServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "server",
    abstract: "Requests to the server, beside a handler that does next to nothing; needs wrk.")

  @Option(help: "The number of accounts.") var accounts = 100_000
  @Option(help: "The number of simultaneous connections.") var connections = 32
  @Option(help: "Seconds of each load in a round.") var seconds = 3
  @Option(help: "Rounds that count, of each side in turns.") var rounds = 5
  @Option(parsing: .upToNextOption, help: "The requests to measure.")
  var requests = ServerBench.Request.allCases
  @Option(help: "A file for the results as JSON.") var json: String?

  func validate() throws {
    guard accounts >= 1000, connections > 0, seconds > 0, rounds > 0 else {
      throw ValidationError("Name at least 1,000 accounts, and more than 0 of the rest.")
    }
  }

  func run() async throws {
    let results = try await WorkFolder.use { folder in
      try ServerBench(
        folder: folder, accounts: accounts, connections: connections, seconds: seconds,
        rounds: rounds
      ).run(requests)
    }
    try results.write(json: json)
  }
}

extension ServerBench.Request: ExpressibleByArgument {}
