import AdminConsole
import ArgumentParser
import AuthCore
import Foundation
import LuaPlugins
import LuaRuntime

/// `authgraph policy replay`: decides recorded conflicts again with a policy file.
struct PolicyReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Decide recorded conflicts again with another policy.",
    discussion: """
      The store keeps a masked copy of each conflict that a policy decided, for decisionRetentionDays of the \
      settings. Each is decided with the time of its own decision, and nothing is written. What differs is printed \
      side by side, with the ID of the event; policy.example in the console makes an example of one.
      """)

  @OptionGroup var options: StoreOptions

  @Option(
    help: ArgumentHelp(
      "Only conflicts since a time, such as \"30 days ago\" or 2026-11-01.", valueName: "time"))
  var since: String?

  @Option(help: ArgumentHelp("At most this many of the newest conflicts.", valueName: "number"))
  var limit: Int?

  @Argument(help: "The policy file.", completion: .file(extensions: ["lua"]))
  var file: String

  func validate() throws {
    guard limit.map({ $0 > 0 }) ?? true else {
      throw ValidationError("--limit is a number above 0.")
    }
  }

  func run() throws {
    try reportingErrors(asJSON: options.json) {
      let policy = try LuaMergePolicy(PolicySource(policyFile: file))
      let since = try since.map { text throws(AuthError) in
        try TimePhrase.time(text, field: "since", now: .now(), in: .current)
      }
      let assembly = try Assembly(options, mustExist: true)
      let (graph, scope, limit) = (assembly.graph, assembly.scope, limit ?? .max)
      let view = ReplayView(
        try waiting { try await graph.replay(policy, since: since, limit: limit, in: scope) })
      guard options.json else { return try StandardStreams.print(view) }
      try StandardStreams.print(view.json)
    }
  }
}
