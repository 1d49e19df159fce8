import ArgumentParser
import Dispatch
import Foundation

// Measures speed as ratios to a limit, which is measured in the same run. Only release builds are meaningful.
// `Scripts/bench` builds and runs it.

/// Waits on the main thread: if that thread ends, as with an asynchronous main, valgrind ends too.
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

/// The program's verbs, each of which measures one part.
struct Bench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "authgraph-bench", abstract: "Measures speed as ratios to limits of the same run.",
    subcommands: [
      StoresCommand.self, ServerCommand.self, MemoryCommand.self, TokensCommand.self,
      PoliciesCommand.self, PolicyLogCommand.self, CommandsCommand.self, PluginsCommand.self,
      SearchCommand.self, GrowthCommand.self, SimulateCommand.self,
    ])
}

/// Measures scripted plug-ins that are replaced under load, and beside one that never ends.
struct PluginsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plugins", abstract: "Sign-ins through scripted plug-ins.")

  func run() async throws {
    try await PluginBench().replacing(signIns: 20_000, replacements: 100, atLeast: 1_000)
    try await PluginBench().besideEndless(limit: .milliseconds(50))
  }
}

enum WorkFolder {
  /// The path of the program to measure.
  static let program = binary("authgraph")
  /// The path of the handler with which the server is compared.
  static let trivialServer = binary("authgraph-trivial-server")

  /// Returns the path of a binary next to this one.
  private static func binary(_ name: String) -> String {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name).path
  }

  /// Makes a folder that exists while a closure runs.
  static func use<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: (String) async throws -> Value
  ) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "benchmarks-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(folder)
  }
}
