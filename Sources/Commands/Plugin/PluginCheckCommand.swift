import AdminConsole
import ArgumentParser
import AuthCore
import LuaPlugins
import PluginKit

/// `authgraph plugin check`: checks files without running anything but their declaration.
struct PluginCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check plug-in files and their fixtures without running them.",
    discussion: "The exit status is 1 if there is an error, and 0 if there are only warnings.")

  @Flag(help: "Answer in JSON.") var json = false

  @Argument(help: "Files, or folders of them.", completion: .file(extensions: ["lua"]))
  var files: [String]

  func run() throws {
    try reportingErrors(asJSON: json) {
      let files = try PluginFiles.all(in: files)
      let findings = try files.map { file throws(AuthError) in
        let source = try PluginSource(path: file)
        return (file, PluginCheck.findings(in: source) + FixtureCheck.findings(beside: source))
      }
      let all = findings.flatMap(\.1)
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
      if all.contains(where: { $0.severity == .error }) { throw ExitCode.failure }
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
