import AdminConsole
import ArgumentParser
import AuthCore
import PluginKit

/// `authgraph plugin test`: runs the fixtures of plug-ins, and simulates vendors that lie and fail.
struct PluginTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Test plug-in files with their fixtures, without their vendors.",
    discussion: """
      Each scenario of ID.fixture.json runs first. A scenario with a successful sign-in then runs again with a \
      vendor that fails, lies and omits data. A failed case prints the actual and the expected result and the lines \
      that the plug-in logged, and makes the exit status 1.

      The article "Fixtures of provider plug-ins" (Sources/LuaPlugins/LuaPlugins.docc/PluginFixtures.md) has every \
      field of a fixture; authgraph plugin record writes one from a real sign-in.
      """)

  @Flag(help: "Answer in JSON.") var json = false

  @Option(
    help: ArgumentHelp(
      "Also write the results as JUnit's XML, in place of what the file holds.", valueName: "file"),
    completion: .file(extensions: ["xml"]))
  var junit: String?

  @Flag(help: "List the scenarios of every file, and the lines that plug-ins log.")
  var verbose = false

  @Option(
    name: .customLong("case"),
    help: ArgumentHelp(
      "Run only cases with this text in their name or heading, or those of this group.",
      valueName: "name"))
  var filter: String?

  @Argument(help: "Files, or folders of them.", completion: .file(extensions: ["lua"]))
  var files: [String]

  func run() throws {
    try reportingErrors(asJSON: json) {
      let files = try PluginFiles.all(in: files)
      let test = PluginTest(filter: filter)
      let reports = try waiting { await test.run(files: files) }
      if let junit { try JUnitReport(reports).write(to: junit) }
      if json {
        try StandardStreams.print(JSONValue.array(reports.map(\.json)))
      } else {
        let tested = reports.filter { !$0.isUnmatched || $0.obstacle != nil }
        for report in tested {
          // With many files, only those that need attention are shown in full.
          let isShort = reports.count > 1 && !verbose && report.passed
          try isShort ? showLine(report) : show(report)
          try showOtherName(of: report.file)
        }
        let cases = reports.reduce(0) { $0 + $1.cases.count }
        let failed = reports.reduce(0) { $0 + $1.failures.count }
        let broken = reports.count { $0.obstacle != nil }
        try StandardStreams.print(
          "\(tested.count) tested, \(cases) cases, \(failed) failed"
            + (broken > 0 ? ", \(broken) could not be tested" : ""))
      }
      if !reports.allSatisfy(\.passed) { throw ExitCode.failure }
    }
  }

  private func showLine(_ report: PluginTestReport) throws {
    try StandardStreams.print(line: "ok  \(report.file) (\(Self.count(report.cases)))")
  }

  private static func count(_ cases: [PluginTestReport.Case]) -> String {
    cases.count == 1 ? "1 case" : "\(cases.count) cases"
  }

  private func show(_ report: PluginTestReport) throws {
    try StandardStreams.print(line: report.file)
    if let obstacle = report.obstacle {
      try StandardStreams.print(line: "  failed  \(obstacle)")
    }
    var groups: [String] = []
    for item in report.cases where !groups.contains(item.title) { groups.append(item.title) }
    for group in groups {
      let cases = report.cases.filter { $0.title == group }
      let failures = cases.filter { !$0.passed }
      guard !failures.isEmpty else {
        try StandardStreams.print(line: "  ok      \(group) (\(Self.count(cases)))")
        if verbose { try showLog(cases.first { $0.group == .scenario }) }
        continue
      }
      try StandardStreams.print(
        line: "  failed  \(group) (\(failures.count) of \(Self.count(cases)))")
      for failure in failures {
        try StandardStreams.print(
          line: "          [\(failure.group.rawValue)] \(failure.failure ?? "")")
        try showLog(failure)
      }
    }
  }

  private func showLog(_ item: PluginTestReport.Case?) throws {
    // A mistake of the script is also in its log, and was already printed.
    let printed = item?.failure ?? ""
    for line in item?.log ?? []
    where !printed.contains(line.drop { $0 != " " }.dropFirst()) {
      try StandardStreams.print(line: "            log \(line)")
    }
  }
}

extension PluginTestReport {
  /// The report as `--json` prints it.
  fileprivate var json: JSONValue {
    [
      "file": .string(file), "passed": .bool(passed), "obstacle": .optional(obstacle),
      "cases": .array(
        cases.map { item in
          [
            "scenario": .optional(item.scenario), "group": .string(item.group.rawValue),
            "name": .string(item.name), "passed": .bool(item.passed),
            "failure": .optional(item.failure), "log": .array(item.log.map { .string($0) }),
          ]
        }),
    ]
  }
}
