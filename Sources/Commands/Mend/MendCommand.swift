import AdminConsole
import ArgumentParser
import AuthCore
import Foundation

/// `authgraph mend`: removes remains of an earlier version from accounts that the current rules exclude.
struct MendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mend",
    abstract: "List and repair faults of accounts that an earlier version merged.",
    discussion: """
      An account has one password, of its own address, and a second factor only with a verified address. Merges of \
      an earlier version could break these rules. authgraph doctor lists such accounts for all tenants; this command \
      works on one project or tenant.

      Without --commit it prints its plan and writes nothing. The sessions of a repaired account end. An account \
      that would lose its last way to sign in is skipped unless --force is given; check it first.
      """)

  @OptionGroup var options: StoreOptions

  @Flag(help: "Carry out the plan.") var commit = false
  @Flag(help: "Also repair accounts that lose their last way to sign in.") var force = false
  @Option(help: "The reason, for the audit log; required with --commit.") var reason: String?

  func validate() throws {
    guard !commit || reason?.contains(where: { !$0.isWhitespace }) == true else {
      throw ValidationError("--commit needs --reason \"…\", which the audit keeps.")
    }
  }

  func run() throws {
    try reportingErrors(asJSON: options.json) {
      let run = MendRun(
        assembly: try Assembly(options, mustExist: true), isJSON: options.json, commits: commit,
        force: force, reason: reason ?? "")
      try waiting { try await run.perform() }
    }
  }
}
