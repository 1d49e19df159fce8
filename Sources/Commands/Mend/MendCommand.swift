import AdminConsole
import ArgumentParser
import AuthCore
import Foundation

/// `authgraph mend`: removes remains of an earlier version from accounts that the current rules exclude.
struct MendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mend",
    abstract: "Show what is wrong with accounts that an earlier version merged, and mend it.",
    discussion: """
      An account has one password, of its own address, and no unverified address behind a second factor. Merges of \
      an earlier version could leave others. authgraph doctor lists them for all tenants; this command works on one \
      project or tenant.

      Without --commit it shows its plan and writes nothing. The sessions of a mended account end. An account that \
      would lose its last way in is left alone unless --force is given: look at it first.
      """)

  @OptionGroup var options: StoreOptions

  @Flag(help: "Carry the plan out.") var commit = false
  @Flag(help: "Mend accounts that lose their last way in, too.") var force = false
  @Option(help: "The reason, which the audit keeps; needed with --commit.") var reason: String?

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
