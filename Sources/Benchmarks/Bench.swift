import ArgumentParser
import Dispatch
import Foundation

// Speed as ratios to a limit, each measured beside it in the same run; release builds only mean anything.
// `Scripts/bench` builds and runs it.

/// Waits on the main thread: where that ends, as with an asynchronous main, valgrind does too.
@main enum Main {
  static func main() {
    let isOver = DispatchSemaphore(value: 0)
    Task.detached {
      await Bench.main()
      isOver.signal()
    }
    isOver.wait()
  }
}

/// The program's verbs; each measures another part.
struct Bench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "authgraph-bench", abstract: "Measures speed as ratios to limits of the same run.",
    subcommands: [
      StoresCommand.self, HotPathCommand.self, PluginsCommand.self, CommandsCommand.self,
      ServerCommand.self, GrowthCommand.self, SimulateCommand.self,
    ])
}

/// Scripted plug-ins: replaced under load, and beside one that never ends.
struct PluginsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plugins", abstract: "Sign-ins through scripted plug-ins.")

  func run() async throws {
    try await PluginBench().replacing(signIns: 20_000, replacements: 100, atLeast: 1_000)
    try await PluginBench().besideEndless(limit: .milliseconds(50))
  }
}

/// Whole commands of the program.
struct CommandsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "commands", abstract: "Import, and the start of the console.")

  func run() async throws {
    try await WorkFolder.use { folder in
      let bench = CommandBench(program: WorkFolder.program, folder: folder)
      try bench.importing(accounts: 5_000, limit: .seconds(5))
      try bench.starting(accounts: 100_000, limit: .milliseconds(100))
    }
  }
}

/// The HTTP server; needs wrk.
struct ServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "server", abstract: "Requests to the server beside a trivial handler; needs wrk.")

  @Option(help: "Seconds of each load.") var seconds = 60

  func run() async throws {
    try await WorkFolder.use { folder in
      var bench = ServerBench(program: WorkFolder.program, folder: folder)
      bench.seconds = seconds
      try await bench.run()
    }
  }
}

enum WorkFolder {
  /// The binary next to this one.
  static let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "authgraph").path

  /// Makes a folder for the time of a closure.
  static func use<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: (String) async throws -> Value
  ) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "benchmarks-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(folder)
  }
}
