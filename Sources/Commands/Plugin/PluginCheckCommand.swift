import AdminConsole
import ArgumentParser
import AuthCore
import LuaPlugins
import PluginKit

/// `authgraph plugin check`: checks files without running anything but their declaration.
struct PluginCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check plug-in files and their fixtures without their vendors.",
    discussion: """
      The address that a browser opens is made with the fixture's settings or with made-up ones, without a network. \
      The exit status is 1 if there is an error, and with --strict if there is a warning as well.
      """)

  @Flag(help: "Answer in JSON.") var json = false

  @Flag(help: "Fail for warnings too.") var strict = false

  @Option(
    help: ArgumentHelp(
      "Also write the findings as JUnit's XML, in place of what the file holds.",
      valueName: "file"),
    completion: .file(extensions: ["xml"]))
  var junit: String?

  @Argument(help: "Files, or folders of them.", completion: .file(extensions: ["lua"]))
  var files: [String]

  func run() throws {
    try reportingErrors(asJSON: json) {
      let files = try PluginFiles.all(in: files)
      let findings = try waiting {
        var findings: [(file: String, found: [PluginFinding])] = []
        for file in files {
          let source = try PluginSource(path: file)
          let found =
            PluginCheck.findings(in: source) + FixtureCheck.findings(beside: source)
            + (await BrowserCheck.findings(in: source))
          findings.append((file, found))
        }
        return findings
      }
      if let junit { try JUnitReport(findings, isStrict: strict).write(to: junit) }
      let all = findings.flatMap(\.found)
      if json {
        let list = findings.flatMap { file, found in found.map { $0.json(path: file) } }
        try StandardStreams.print(JSONValue.array(list))
      } else {
        for finding in all {
          try StandardStreams.print(line: "\(finding)")
        }
        let errors = all.count { $0.severity == .error }
        try StandardStreams.print(
          "\(files.count) checked, \(errors) errors, \(all.count - errors) warnings")
      }
      if all.contains(where: { strict || $0.severity == .error }) { throw ExitCode.failure }
    }
  }
}

extension PluginFinding {
  /// The finding as `--json` prints it.
  fileprivate func json(path: String) -> JSONValue {
    [
      "file": .string(path), "line": line.map { .integer(Int64($0)) } ?? .null,
      "severity": .string(severity.rawValue), "code": .string(code), "field": .optional(field),
      "message": .string(message), "remedy": .string(remedy),
    ]
  }
}
