import AdminConsole
import ArgumentParser
import AuthCore
import BuiltInProviders
import Foundation

/// `authgraph export [FILE]`: writes accounts in the format of Firebase's `auth:export`, in order of uid.
struct ExportCommand: ParsableCommand {
  /// The tools that are to read the file.
  enum Reader: String, CaseIterable, ExpressibleByArgument {
    case firebase
  }

  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export accounts as JSON in the format of Firebase's auth:export.",
    discussion: """
      The file holds what another store needs to let everybody in again: password hashes and how each was made, \
      which may be the signer key of a Firebase project, and the secrets of authenticator apps. It is made readable \
      for its owner alone; keep it as you keep the store and its key. Without FILE the export goes to standard \
      output. From SQLite it is of one moment; from PostgreSQL each account is, but what changes hands while the \
      export runs may be in it twice, or not at all. With --for firebase it has only what Firebase's auth:import \
      reads, without those secrets; what stays out is counted, and the exit status is 2 unless --allow-losses says \
      that it may.
      """)

  @OptionGroup var options: StoreOptions

  @Option(
    name: .customLong("for"),
    help: "Write for the tools of firebase, which refuse what they do not know.")
  var audience: Reader?

  @Option(
    help: ArgumentHelp(
      "With --for firebase: which hashes come along, an algorithm such as SCRYPT or the name of parameters.",
      discussion: "Default: the most common. A file for auth:import has hashes of one kind.",
      valueName: "kind"))
  var hashes: String?

  @Flag(help: "With --for firebase: end with status 0 also where something stays out.")
  var allowLosses = false

  @Argument(help: "The file; it must not exist yet.", completion: .file(extensions: ["json"]))
  var file: String?

  @Flag(help: "Replace the file where it exists.")
  var force = false

  func validate() throws {
    guard audience == nil, hashes != nil || allowLosses else { return }
    throw ValidationError("--hashes and --allow-losses belong to --for firebase.")
  }

  func run() throws {
    try reportingErrors(asJSON: options.json) {
      let assembly = try Assembly(options, mustExist: true)
      let target = try ExportTarget(file: file, replacing: force)
      let outcome: ExportOutcome
      do {
        let plan = ExportPlan(
          graph: assembly.graph, scope: assembly.scope, isForFirebase: audience == .firebase,
          hashes: hashes)
        outcome = try waiting { try await plan.export(to: target) }
        try target.finish()
      } catch {
        target.abandon()
        throw error
      }
      tell(outcome)
      if !outcome.losses.isEmpty && !allowLosses { throw ExitCode(2) }
    }
  }

  private func tell(_ outcome: ExportOutcome) {
    if let file { StandardStreams.warn("\(outcome.count) accounts exported to \(file)") }
    if outcome.lost > 0 {
      StandardStreams.warn(
        "\(outcome.lost) secrets are left out: the format has no place for further passwords of accounts "
          + "that version 0.1 merged, and secrets of authenticator apps need the key that sealed them."
      )
    }
    if outcome.unexplained > 0 {
      StandardStreams.warn(
        "\(outcome.unexplained) password hashes do not say how they were made, because the store does not know it: "
          + "an import needs hash parameters for them.")
    }
    if !outcome.losses.isEmpty { StandardStreams.warn("Left out: \(outcome.losses.text)") }
    if let hashes = outcome.hashes {
      StandardStreams.warn(
        "The hashes are of \(hashes). Give auth:import \(hashes.firebaseOptions)")
    }
  }
}
