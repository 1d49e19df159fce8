import AdminConsole
import ArgumentParser
import AuthCore
import Conformance
import HTTPClientTransport
import IdentityToolkitService

/// `authgraph conformance`: compares a server with what the protocol promises.
struct ConformanceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conformance",
    abstract: "Compare a server of the protocol with what the documents promise.",
    discussion: """
      Each case sends requests and compares the answers: status, error code, members, claims of tokens. The server can \
      be this one, Firebase's emulator, or another of the protocol. A failed case prints the request, what was \
      expected and what was seen, and makes the exit status 1.

      The run creates accounts, tenants and settings in the project, and deletes or restores them. In an emulator, one \
      case empties the project. Use a project for tests. A production server needs rateLimits of 0 for the run. Ctrl-C \
      and SIGTERM end the run after what the case changed is put back; a second one ends it at once.

      The article "Conformance" (Sources/Commands/Commands.docc/Conformance.md) has the format of cases.
      """)

  @OptionGroup var server: ConformanceOptions

  @Option(
    help: ArgumentHelp(
      "Run only cases of this area, or with this text in their name.", valueName: "area-or-text"))
  var only: String?

  @Option(
    name: .customLong("cases"),
    help: ArgumentHelp(
      "Run the cases of this file in place of the suite's; repeat the option for more.",
      valueName: "file"),
    completion: .file(extensions: ["json"]))
  var files: [String] = []

  @Flag(help: "Print the cases, and exit.") var list = false

  @Flag(help: "Allow a server on another machine.") var yes = false

  @Flag(help: "Answer in JSON.") var json = false

  @Option(
    help: ArgumentHelp(
      "Also write the results as JUnit's XML, in place of what the file holds.", valueName: "file"),
    completion: .file(extensions: ["xml"]))
  var junit: String?

  func run() throws {
    try reportingErrors(asJSON: json) {
      let cases = try chosenCases()
      if list { return try printList(of: cases) }
      // Before the run starts threads, because they inherit the blocked signals.
      let interruption = RunInterruption()
      let transport = try server.authority.transport()
      let target = try server.target(transport)
      try ask(target)
      let runner = ConformanceRunner(target, transport: transport)
      let isQuiet = json
      let report = try Self.untilInterrupted(interruption) {
        try await runner.check()
        let cases = await Self.served(cases, by: runner)
        var printer = AreaPrinter()
        let report = try await runner.run(cases) { result in
          if !isQuiet { try printer.take(result) }
        }
        if !isQuiet { try printer.finish() }
        return report
      }
      if let junit { try JUnitReport(report).write(to: junit) }
      try json ? StandardStreams.print(report.json) : printTotal(of: report)
      if report.isInterrupted { throw ExitCode(130) }
      if !report.passed { throw ExitCode.failure }
    }
  }

  /// Waits for a run; throws the exit status of an interrupt that came before its first case.
  private static func untilInterrupted(
    _ interruption: RunInterruption,
    _ body: @escaping @Sendable () async throws -> ConformanceReport
  ) throws -> ConformanceReport {
    do {
      return try waiting(unless: { interruption.isRaised }, body)
    } catch is CancellationError {
      throw ExitCode(130)
    }
  }

  /// Returns the cases without those of operations that another server does not have.
  private static func served(
    _ cases: [ConformanceCase], by runner: ConformanceRunner
  ) async -> [ConformanceCase] {
    let others = cases.filter { !$0.area.hasPrefix("AuthGraph:") }
    guard others.count < cases.count, !(await runner.hasOwnOperations()) else { return cases }
    StandardStreams.warn(
      "The server is not AuthGraph, so \(cases.count - others.count) cases of its own operations "
        + "are left out.")
    return others
  }

  /// Returns the cases of the files, or of the suite; throws `invalid-argument` if none remains.
  private func chosenCases() throws(AuthError) -> [ConformanceCase] {
    var cases: [ConformanceCase] = []
    for file in try files.isEmpty ? CaseFile.shipped() : Self.read(files) { cases += file.cases }
    if let only { cases = cases.filter { $0.area == only || $0.has(only) } }
    let mode = list ? server.mode : server.effectiveMode
    if let mode { cases = cases.filter { $0.modes.contains(mode) } }
    guard cases.isEmpty else { return cases }
    throw AuthError(
      .invalidArgument,
      "No case\(mode.map { " of the mode \($0.rawValue)" } ?? "") has this text in its area or name.",
      field: "only", remedy: "authgraph conformance --list prints all.")
  }

  private static func read(_ paths: [String]) throws(AuthError) -> [CaseFile] {
    var files: [CaseFile] = []
    for path in paths {
      let bytes: [UInt8]
      do throws(InputFile.Unreadable) {
        bytes = try InputFile.bytes(of: path, atMost: 16 << 20)
      } catch {
        throw AuthError(
          .invalidArgument, "The file \(path) cannot be read: \(error.reason).", field: "cases",
          remedy: "Check the path and its permissions.", cause: error)
      }
      files.append(try CaseFile(path, bytes))
    }
    return files
  }

  private func printList(of cases: [ConformanceCase]) throws {
    guard !json else {
      return try StandardStreams.print(
        JSONValue.array(
          cases.map { item in
            [
              "area": .string(item.area), "name": .string(item.name),
              "modes": .array(item.modes.map(\.rawValue).sorted().map(JSONValue.string)),
            ]
          }))
    }
    for item in cases {
      let only = item.modes.count == 1 ? item.modes.map { " (\($0.rawValue) only)" } : []
      try StandardStreams.print(line: "\(item.area): \(item.name)\(only.joined())")
    }
  }

  /// Says what the run does, and refuses another machine's server without `--yes`.
  private func ask(_ target: ConformanceTarget) throws(AuthError) {
    let warning =
      "The run creates and deletes accounts, tenants and settings in the project \(target.project) of \(target.url)."
    guard !yes, !LoopbackHost.isHost(ofURL: target.url) else {
      return StandardStreams.warn(warning)
    }
    throw AuthError(
      .operationNotAllowed, warning, field: "yes",
      remedy: "Name a project for tests, and add --yes.")
  }

  private func printTotal(of report: ConformanceReport) throws {
    let failed = report.failures.count
    try StandardStreams.print(
      line: "\(report.results.count) cases, \(failed) failed"
        + (report.unrun > 0
          ? ", \(report.unrun) not run: "
            + (report.isInterrupted ? "interrupted" : "the server stopped answering") : ""))
    if report.left > 0 {
      StandardStreams.warn("\(report.left) accounts, tenants or settings could not be put back.")
    }
    for setting in NeededSetting.allCases {
      let count = report.failures.count { $0.failure?.neededSetting == setting }
      if count > 0 { StandardStreams.warn("\(count) cases \(setting.remedy)") }
    }
  }
}

extension ConformanceCase {
  fileprivate func has(_ text: String) -> Bool {
    area.lowercased().contains(text.lowercased()) || name.lowercased().contains(text.lowercased())
  }
}
