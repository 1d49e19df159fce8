import AdminConsole
import ArgumentParser
import AuthCore
import Foundation

/// `authgraph doctor`: checks everything that a server needs for its work.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract:
      "Check configuration, store, server, accounts, keys, clock, plug-ins, messages and certificate.",
    discussion: """
      Changes nothing, and can run while a server is running. The exit status is 1 if there is an error, and 0 if \
      there are only warnings.
      """)

  @OptionGroup var options: ConfigurationOptions
  @OptionGroup var authority: AuthorityOptions
  @Flag(help: "Answer in JSON.") var json = false

  func run() throws {
    try reportingErrors(asJSON: json) {
      let source = options.source()
      let configuration = Configuration(source)
      let findings = source.findings
      let file = options.file
      let transport = try authority.transport()
      let diagnoses = try waiting {
        await HealthCheck(
          configuration, file: file, findings: findings, transport: transport
        ).run()
      }
      try diagnoses.printed(asJSON: json)
    }
  }
}

extension [Diagnosis] {
  /// Prints all results; throws the exit status 1 if one of them is an error.
  func printed(asJSON: Bool) throws {
    if asJSON {
      try StandardStreams.print(JSONValue.array(map(\.json)))
    } else {
      var table = TextTable(
        columns: [
          TextTable.Column("check", keepsWhole: true), TextTable.Column("", keepsWhole: true),
          "result",
        ], overflow: .wrap)
      for diagnosis in self { table.append(diagnosis.cells.map { Cell($0) }) }
      try StandardStreams.print(table)
    }
    if contains(where: { $0.state == .wrong }) { throw ExitCode.failure }
  }
}

/// The result of one check.
struct Diagnosis: Hashable, Sendable {
  enum State: String, Sendable {
    case ok, warning, wrong
  }

  let check: String
  let state: State
  let text: String

  static func ok(_ check: String, _ text: String) -> Diagnosis {
    Diagnosis(check: check, state: .ok, text: text)
  }

  static func warning(_ check: String, _ text: String) -> Diagnosis {
    Diagnosis(check: check, state: .warning, text: text)
  }

  static func wrong(_ check: String, _ text: String) -> Diagnosis {
    Diagnosis(check: check, state: .wrong, text: text)
  }

  /// Makes a diagnosis of an error's message, without its cause.
  static func wrong(_ check: String, _ error: any Error) -> Diagnosis {
    guard let error = error as? AuthError else { return .wrong(check, "\(error)") }
    return .wrong(check, error.message + (error.remedy.map { " \($0)" } ?? ""))
  }

  var cells: [String] { [check, state.rawValue, text] }

  var json: JSONValue {
    ["check": .string(check), "state": .string(state.rawValue), "text": .string(text)]
  }
}
