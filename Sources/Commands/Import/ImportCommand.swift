import AdminConsole
import ArgumentParser
import AuthCore
import BuiltInProviders
import Foundation
import IdentityToolkit

/// `authgraph import FILE`: imports accounts from Firebase's `auth:export`.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import accounts from a JSON or CSV file that Firebase's auth:export wrote.",
    discussion: """
      A file whose name ends with .csv is read as CSV. Hash options are for hashes whose records do not say how they \
      were made; an export of AuthGraph says it. Known fields that accounts do not keep are counted. \
      What cannot be imported is reported with its line and reason, and the rest is imported. An import \
      that was interrupted goes on where it was when the same file is imported again; of one with --bulk \
      nothing is left then. A rehearsal by --dry-run reads the whole file into memory and holds other \
      writers up meanwhile.
      """)

  @OptionGroup var options: StoreOptions
  @OptionGroup var hashOptions: HashOptions

  @Flag(help: "Check everything and write nothing.")
  var dryRun = false

  @Flag(
    help: """
      Import in one commit, into a SQLite store without accounts: faster, the more accounts there are, with more than \
      a gigabyte of memory for a million. Other processes can read meanwhile, but fail to write after some seconds.
      """)
  var bulk = false

  @Option(help: "Why, for the audit.")
  var reason: String?

  @Argument(help: "The file.", completion: .file(extensions: ["json", "csv"]))
  var file: String

  func validate() throws {
    if bulk && dryRun {
      throw ValidationError("--bulk writes everything, and --dry-run nothing; leave one out.")
    }
  }

  func run() throws {
    try reportingErrors(asJSON: options.json) {
      let passwords = PasswordImport(try hashOptions.parameters())
      let assembly = try Assembly(options)
      let caller = assembly.caller(
        reason: reason ?? TextBounds.reason.cut("import \(file)"), dryRun: dryRun)
      let run = AccountImport(
        graph: assembly.graph, caller: caller, file: file, passwords: passwords,
        isBulk: bulk,
        progress: ProgressBar(
          "import", total: Self.size(of: file)))
      let report = try waiting { try await run.perform() }
      try show(report)
      if let failure = report.failure { throw failure }
      if !report.problems.filter(\.isRefusal).isEmpty { throw ExitCode(2) }
    }
  }

  private static func size(of file: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file)
    return (attributes?[.size] as? NSNumber)?.intValue
  }

  private func show(_ report: ImportReport) throws {
    if options.json {
      try StandardStreams.print(report.json)
      return
    }
    for problem in report.problems {
      StandardStreams.warn("\(file):\(problem.line): \(problem.text)")
    }
    if report.failure == nil || report.sawRecords {
      try StandardStreams.print(line: report.summary(dryRun: dryRun))
    }
  }
}
