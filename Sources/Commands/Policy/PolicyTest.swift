import AdminConsole
import ArgumentParser
import AuthCore
import Foundation
import LuaPlugins
import LuaRuntime
import TerminalOutput

/// `authgraph policy test`: runs the examples of policies, and measures what they reach.
struct PolicyTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Test merge policies with their examples, without a store.",
    discussion: """
      Each example of a file is decided by its own run. The exit status is 0 if all pass, 1 if an example fails, a file \
      cannot be tested, or --complete is given and the examples do not reach everything, and 64 for wrong arguments.

      Coverage counts the lines with code, without those of the examples, and both ways of each condition, of each \
      operand of and or or that decides, and of each for loop.

      The article "The command line" (Sources/Commands/Commands.docc/CommandLine.md) has the forms of --json and --junit.
      """)

  @Flag(help: "Answer in JSON.") var json = false

  @Flag(help: "Show the lines and branches that the examples reach.") var coverage = false

  @Flag(help: "Fail unless the examples reach every line and go both ways at every branch.")
  var complete = false

  @Option(
    help: ArgumentHelp(
      "Also write the results as JUnit's XML, in place of what the file holds.", valueName: "file"),
    completion: .file(extensions: ["xml"]))
  var junit: String?

  @Argument(help: "Files of policies.", completion: .file(extensions: ["lua"]))
  var files: [String]

  func run() throws {
    try reportingErrors(asJSON: json) {
      let reports = files.map { file in
        PolicyTestReport(of: file, measures: coverage || complete || junit != nil)
      }
      if let junit { try JUnitReport(reports, mustBeComplete: complete).write(to: junit) }
      if json {
        try StandardStreams.print(
          JSONValue.array(reports.map { $0.json(withCoverage: coverage || complete) }))
      } else {
        for report in reports { try show(report) }
        try StandardStreams.print(summary(of: reports))
      }
      let passed = reports.allSatisfy { $0.passed && (!complete || $0.isComplete) }
      if !passed { throw ExitCode.failure }
    }
  }

  private func show(_ report: PolicyTestReport) throws {
    try StandardStreams.print(line: report.file)
    if let obstacle = report.obstacle {
      try StandardStreams.print(line: "  failed  \(obstacle)")
      return
    }
    for example in report.examples {
      try StandardStreams.print(line: "  \(example.passed ? "ok    " : "failed")  \(example.name)")
      if let failure = example.failure {
        try StandardStreams.print(line: "          \(failure)")
        for line in example.log { try StandardStreams.print(line: "            log \(line)") }
      }
    }
    if report.examples.isEmpty { try StandardStreams.print(line: "  no examples") }
    if coverage || complete, let measured = report.coverage {
      try StandardStreams.print(line: "  \(measured.text)")
    }
  }

  private func summary(of reports: [PolicyTestReport]) -> String {
    let examples = reports.flatMap(\.examples)
    let broken = reports.count { $0.obstacle != nil }
    return "\(reports.count) tested, \(examples.count) examples, "
      + "\(examples.count { !$0.passed }) failed"
      + (broken > 0 ? ", \(broken) could not be tested" : "")
  }
}

/// The results of one file.
struct PolicyTestReport {
  let file: String
  private(set) var examples: [PolicyExampleResult] = []
  private(set) var coverage: PolicyCoverage?
  /// Why the file could not be tested; nil if it could.
  private(set) var obstacle: String?

  /// Runs the examples of a file, and measures what they reach.
  init(of file: String, measures: Bool) {
    self.file = file
    do throws(AuthError) {
      let source = try PolicySource(policyFile: file)
      examples = try LuaMergePolicy.runExamples(of: source)
      if measures { coverage = try PolicyCoverage.measure(source) }
    } catch {
      obstacle = error.message
    }
  }

  var passed: Bool { obstacle == nil && examples.allSatisfy(\.passed) }
  var isComplete: Bool { coverage?.isComplete ?? false }

  /// The results as `--json` prints them.
  func json(withCoverage: Bool) -> JSONValue {
    var members: [String: JSONValue] = [
      "file": .string(file), "passed": .bool(passed), "obstacle": .optional(obstacle),
      "examples": .array(
        examples.map { example in
          [
            "name": .string(example.name), "passed": .bool(example.passed),
            "plan": .optional(example.answer), "failure": .optional(example.failure),
            "log": .array(example.log.map { .string($0) }),
          ]
        }),
    ]
    if withCoverage { members["coverage"] = coverage?.json ?? .null }
    return .object(members)
  }
}
