import Foundation

// Speed as ratios to a limit, measured on the release build of the binary next to this one:
//
//   swift build -c release && swift run -c release benchmarks
//   swift run -c release benchmarks server      // the server alone; needs wrk

let onlyServer = CommandLine.arguments.dropFirst().first == "server"
if !onlyServer {
  try await PluginBench().replacing(signIns: 20_000, replacements: 100, atLeast: 1_000)
  try await PluginBench().besideEndless(limit: .milliseconds(50))
}

let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
  .appending(path: "authgraph").path
let folder = FileManager.default.temporaryDirectory.appending(path: "benchmarks-\(UUID())").path
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(atPath: folder) }

if !onlyServer {
  let bench = CommandBench(program: program, folder: folder)
  try bench.importing(accounts: 5_000, limit: .seconds(5))
  try bench.starting(accounts: 100_000, limit: .milliseconds(100))
}

try await ServerBench(program: program, folder: folder).run()
