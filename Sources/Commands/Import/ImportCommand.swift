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
    abstract: "Import accounts from Firebase's auth:export, or from another system's files.",
    discussion: """
      A file whose name ends with .csv is read as CSV. Hash options apply to hashes without parameters of their own; \
      an export of AuthGraph has them. Accounts that cannot be imported are reported with their line and the reason, \
      and all others are imported. Known fields that accounts do not keep are counted.

      An interrupted import continues if the same file is imported again; an interrupted import with --bulk leaves \
      nothing behind. --with names an importer, a Lua file that translates another system's rows; those of Auth0, \
      Cognito, Supabase, Keycloak and Ory Kratos are in the folder Importers. --dry-run reads the whole file into memory, and other writers wait meanwhile.
      """)

  @OptionGroup var options: StoreOptions
  @OptionGroup var hashOptions: HashOptions
  @OptionGroup var importerOptions: ImporterOptions

  @Flag(help: "Check all accounts and write nothing.")
  var dryRun = false

  @Flag(
    help: """
      Import in one commit, into a SQLite store without accounts. It is faster for large imports, and takes more \
      than a gigabyte of memory for a million accounts. Other processes can read meanwhile; their writes fail after \
      some seconds.
      """)
  var bulk = false

  @Flag(
    help: """
      Mark accounts with an address and without a hash: their passwords are asked for at the old system, by the \
      provider of the setting signIn.passwordMigration.
      """)
  var passwordsElsewhere = false

  @Flag(help: "Show every record that needs attention, and not the first of each kind.")
  var verbose = false

  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "Write a report with every record that needs attention to a new file, as JSON.",
      valueName: "file"))
  var reportFile: String?

  @Option(help: "The reason, for the audit log.")
  var reason: String?

  @Argument(help: "The file.", completion: .file(extensions: ["json", "csv", "ndjson"]))
  var file: String

  func validate() throws {
    try importerOptions.check()
    if bulk && dryRun {
      throw ValidationError("--bulk writes everything, and --dry-run nothing; leave one out.")
    }
  }

  func run() throws {
    try reportingErrors(asJSON: options.json) {
      let passwords = PasswordImport(try hashOptions.parameters())
      var options = options
      if dryRun, try options.isMissing {
        // A rehearsal makes no store: an empty one in memory gives the same answers.
        options.store = "memory:"
        options.keyFile = nil
      }
      let assembly = try Assembly(options)
      try importerOptions.checkProviders(among: assembly.graph.providers)
      let caller = assembly.caller(
        reason: reason ?? TextBounds.reason.cut("import \(file)"), dryRun: dryRun)
      let run = AccountImport(
        graph: assembly.graph, caller: caller, file: file, passwords: passwords,
        importer: try importerOptions.choice(), marksPasswords: passwordsElsewhere,
        isBulk: bulk,
        progress: ProgressBar(
          "import", total: Self.size(of: file)))
      let reportOutput = try reportFile.map(Self.create)
      let report = try waiting { try await run.perform() }
      try reportOutput?.write(contentsOf: Data((report.json.text + "\n").utf8))
      try show(report)
      if let failure = report.failure { throw failure }
      if !report.problems.filter(\.isRefusal).isEmpty { throw ExitCode(2) }
    }
  }

  /// Creates the file of the report, before anything is imported.
  private static func create(_ path: String) throws -> FileHandle {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw AuthError(
        .invalidArgument,
        "The report \(path) cannot be written: \(String(cString: strerror(errno))).",
        field: "report", remedy: "Name a new file in a folder that exists.")
    }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
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
    for problem in verbose ? report.problems : report.firstProblems {
      StandardStreams.warn("\(file):\(problem.line): \(problem.text)")
    }
    if !verbose, let omission = report.omission { StandardStreams.warn(omission) }
    if report.failure == nil || report.sawRecords {
      try StandardStreams.print(line: report.summary(dryRun: dryRun))
    }
  }
}
