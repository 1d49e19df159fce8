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
      The file has everything that another store needs for sign-ins: password hashes with their parameters, among \
      them the signer key of an imported Firebase project, and the secrets of authenticator apps. Only its owner can \
      read the file; protect it like the store and its key. Without FILE the export goes to standard output.

      An export of SQLite is a snapshot. An export of PostgreSQL reads each account consistently, but an identity \
      that moves between accounts meanwhile may be in it twice, or not at all.

      --for firebase writes only what Firebase's auth:import reads, without the secrets of authenticator apps. \
      Omitted data is counted, and makes the exit status 2 unless --allow-losses is given.
      """)

  @OptionGroup var options: StoreOptions

  @Option(
    name: .customLong("for"),
    help: "Write a file for Firebase's tools, which refuse fields that they do not know.")
  var audience: Reader?

  @Option(
    help: ArgumentHelp(
      "With --for firebase: the hashes to export, by algorithm, such as SCRYPT, or by the name of their parameters.",
      discussion: "Default: the most common. A file for auth:import has hashes of one kind.",
      valueName: "kind"))
  var hashes: String?

  @Flag(help: "With --for firebase: end with status 0 even if data is omitted.")
  var allowLosses = false

  @Argument(help: "The file, which must not exist yet.", completion: .file(extensions: ["json"]))
  var file: String?

  @Flag(help: "Replace an existing file.")
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
        "\(outcome.unexplained) password hashes have no parameters in the store: an import needs hash parameters for them."
      )
    }
    if !outcome.losses.isEmpty { StandardStreams.warn("Left out: \(outcome.losses.text)") }
    if let hashes = outcome.hashes {
      StandardStreams.warn(
        "The hashes are of \(hashes). Give auth:import \(hashes.firebaseOptions)")
    }
  }
}
