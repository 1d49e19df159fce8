import AdminConsole
import ArgumentParser
import AuthCore
import Foundation

/// `authgraph config`: commands for the configuration file.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Check the configuration file of the server, or write one.",
    subcommands: [ConfigCheckCommand.self, ConfigInitCommand.self])
}

/// `authgraph config check [FILE]`: reports everything that is wrong with a configuration.
struct ConfigCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Report all errors of a configuration, or ok.",
    discussion: """
      The exit status is 1 if the server would not start with it, or if clients would refuse its certificate.
      """)

  @Flag(help: "Answer in JSON.") var json = false

  @Argument(
    help: "The file; by default AUTHGRAPH_CONFIG or authgraph.yaml.",
    completion: .file(extensions: ["yaml", "yml"]))
  var file: String?

  func run() throws {
    try reportingErrors(asJSON: json) {
      guard
        let file = file ?? Configuration.usualFile(ProcessInfo.processInfo.environment)
      else {
        throw AuthError(
          .invalidArgument, "There is no configuration file.", field: "file",
          remedy: "Name one, or write one with: authgraph config init")
      }
      let source = ConfigurationSource(file: file)
      let configuration = Configuration(source)
      if let certificate = CertificateCheck(configuration) { source.add(certificate) }
      if json {
        try StandardStreams.print(JSONValue.array(source.findings.map(\.json)))
      } else {
        for finding in source.findings {
          try StandardStreams.print(line: finding.text)
        }
        if !source.hasErrors { try StandardStreams.print("ok") }
      }
      if source.hasErrors { throw ExitCode.failure }
    }
  }
}

/// `authgraph config init [FILE]`: writes a configuration to begin with.
struct ConfigInitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Write a configuration file that explains every setting.",
    discussion: "An existing file is not overwritten.")

  @Flag(help: "Print the file instead.") var print = false

  @Argument(help: "The file.", completion: .file(extensions: ["yaml", "yml"]))
  var file = "authgraph.yaml"

  func run() throws {
    try reportingErrors(asJSON: false) {
      if print {
        return try StandardStreams.print(String(DefaultConfiguration.text.dropLast()))
      }
      do {
        try Data(DefaultConfiguration.text.utf8).write(
          to: URL(filePath: file), options: .withoutOverwriting)
      } catch {
        throw AuthError(
          .invalidArgument, "The file \(file) is there already, or cannot be written.",
          field: "file", remedy: "Choose another name, or print it with --print.", cause: error)
      }
      try StandardStreams.print(
        line: "Wrote \(file). Check it with: authgraph config check \(file)")
    }
  }
}
