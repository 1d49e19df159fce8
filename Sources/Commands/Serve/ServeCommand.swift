import AdminConsole
import ArgumentParser
import AuthCore
import Foundation
import IdentityToolkitService

/// `authgraph serve`: runs the server.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve accounts over HTTP, in Firebase Authentication's protocol.",
    discussion: """
      Options take precedence over the environment (AUTHGRAPH_…), and the environment over the configuration file, \
      which authgraph config init writes with every setting. SIGTERM and SIGINT end the server once open requests \
      are finished. SIGHUP reads the configuration again.

      --compat emulator behaves like the Firebase emulator, for tests: it trusts every client. By default it keeps \
      accounts in memory and listens on 127.0.0.1:9099 for the project demo-project. --import and --export-on-exit \
      take the folders of Firebase's emulators.
      """)

  @OptionGroup var options: ConfigurationOptions

  @Option(help: "The address to listen on.")
  var host: String?

  @Option(help: "The port, or 0 for a free one.")
  var port: String?

  @Option(help: "The behaviour: production or emulator.")
  var compat: String?

  @Option(
    name: .customLong("single-project-mode"),
    help: ArgumentHelp(
      "The emulator's answer to requests for other projects: off, warn or error.",
      valueName: "mode"))
  var singleProjectMode: String?

  @Option(
    name: .customLong("import"),
    help: ArgumentHelp(
      "The folder of accounts that an emulator begins with.", valueName: "folder"),
    completion: .directory)
  var importFolder: String?

  @Option(
    name: .customLong("export-on-exit"),
    help: ArgumentHelp(
      "The folder that an emulator writes its accounts to when it ends.", valueName: "folder"),
    completion: .directory)
  var exportFolder: String?

  @Option(
    name: .customLong("public-url"),
    help: ArgumentHelp("The address at which clients reach the server.", valueName: "url"))
  var publicURL: String?

  @Option(
    name: .customLong("api-key"),
    help: ArgumentHelp("An API key of apps; repeat the option for more.", valueName: "key"))
  var apiKeys: [String] = []

  @Option(
    name: .customLong("plugins"),
    help: ArgumentHelp(
      "A folder of provider plug-ins; repeat the option for more.", valueName: "folder"))
  var pluginFolders: [String] = []

  @Option(
    name: .customLong("key-file"),
    help: ArgumentHelp(
      "The key that seals secrets in the store; created for a store that has none.",
      valueName: "path"))
  var keyFile: String?

  @Option(
    name: .customLong("log-level"),
    help: ArgumentHelp(
      "trace, debug, info, notice, warning, error or critical.", valueName: "level")
  )
  var logLevel: String?

  @Option(
    name: .customLong("log-format"), help: ArgumentHelp("text or json.", valueName: "format"))
  var logFormat: String?

  func run() throws {
    // Before the server starts threads, because they inherit the blocked signals.
    let signals = ServerSignals()
    try reportingErrors(asJSON: false) {
      let (configuration, findings) = Self.read(options, settings)
      let folders = try EmulatorFolders(
        imported: importFolder, exported: exportFolder, ServerDefaults(configuration.mode))
      if let file = options.unnamedFile {
        let (subject, rest) = ServerDefaults(configuration.mode).noticeOfFile
        StandardStreams.warn("\(subject) \(file) \(rest)")
      }
      for finding in findings { StandardStreams.warn(finding.text) }
      guard !findings.contains(where: { $0.severity == .error }) else { throw ExitCode.failure }
      let (options, settings) = (options, settings)
      let run = ServerRun(
        configuration: configuration, folders: folders,
        reread: { Self.read(options, settings) },
        logSettings: LogSettings(configuration.logging), signals: signals)
      try waiting { try await run() }
    }
  }

  private static func read(
    _ options: ConfigurationOptions, _ settings: Settings
  ) -> (Configuration, [ConfigurationFinding]) {
    let source = options.source(settings)
    let configuration = Configuration(source)
    return (configuration, source.findings)
  }

  private typealias Settings = [String: (name: String, values: [String])]

  /// The settings given on the command line, by the setting's path.
  private var settings: Settings {
    [
      "listen.host": ("--host", host.map { [$0] } ?? []),
      "listen.port": ("--port", port.map { [$0] } ?? []),
      "compat": ("--compat", compat.map { [$0] } ?? []),
      "singleProjectMode": ("--single-project-mode", singleProjectMode.map { [$0] } ?? []),
      "publicURL": ("--public-url", publicURL.map { [$0] } ?? []),
      "apiKeys": ("--api-key", apiKeys), "plugins": ("--plugins", pluginFolders),
      "keyFile": ("--key-file", keyFile.map { [$0] } ?? []),
      "logging.level": ("--log-level", logLevel.map { [$0] } ?? []),
      "logging.format": ("--log-format", logFormat.map { [$0] } ?? []),
    ]
  }
}
