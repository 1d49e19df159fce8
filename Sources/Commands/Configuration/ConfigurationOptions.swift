import AuthCore
import ArgumentParser
import Foundation

/// The options that choose the configuration of a command.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The configuration file.",
      discussion:
        "Default: AUTHGRAPH_CONFIG, or authgraph.yaml in the current folder if it exists.",
      valueName: "file"),
    completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  @Option(
    help: ArgumentHelp("sqlite:PATH, postgres://USER@HOST/DATABASE or memory:.", valueName: "store")
  )
  var store: String?

  @Option(help: "The project of requests that do not name one.")
  var project: String?

  /// The settings given on the command line, by the setting's path.
  var settings: [String: (name: String, values: [String])] {
    [
      "store": ("--store", store.map { [$0] } ?? []),
      "project": ("--project", project.map { [$0] } ?? []),
    ]
  }

  /// The file that is read, if any.
  var file: String? {
    config ?? Configuration.usualFile(ProcessInfo.processInfo.environment)
  }

  /// The file that was found in the current folder; nil if one was named.
  var unnamedFile: String? {
    let environment = ProcessInfo.processInfo.environment
    let isNamed = config != nil || environment["AUTHGRAPH_CONFIG"]?.isEmpty == false
    return isNamed ? nil : Configuration.usualFile(environment)
  }

  /// Makes the source, with additional options.
  func source(
    _ more: [String: (name: String, values: [String])] = [:]
  ) -> ConfigurationSource {
    ConfigurationSource(file: file, options: settings.merging(more) { _, own in own })
  }
}
