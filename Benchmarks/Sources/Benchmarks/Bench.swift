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
      StoresCommand.self, ServerCommand.self, MemoryCommand.self, TokensCommand.self,
      PoliciesCommand.self, CommandsCommand.self, PluginsCommand.self,
      GrowthCommand.self, SimulateCommand.self,
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

enum WorkFolder {
  /// The program that is measured.
  static let program = binary("authgraph")
  /// The handler that the server is compared with.
  static let trivialServer = binary("authgraph-trivial-server")

  /// A binary next to this one.
  private static func binary(_ name: String) -> String {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name).path
  }

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
