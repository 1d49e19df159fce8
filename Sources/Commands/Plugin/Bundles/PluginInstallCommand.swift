import AdminConsole
import ArgumentParser
import AuthCore
import Foundation
import LuaPlugins

/// `authgraph plugin install`: puts a bundle into a folder of plug-ins.
struct PluginInstallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Install a bundle into a folder of plug-ins, after showing what it may do.",
    discussion: """
      What changes is shown first: hosts, secrets, functions and abilities. plugins.lock of the folder keeps version, \
      digest, key and source; a bundle that differs from it is not loaded. An older version, another content of the \
      same version and an installed file that was changed need --force. If pluginKeys of the configuration names keys, \
      one of them must have signed the bundle.
      """)

  @Option(
    help: ArgumentHelp(
      "The configuration whose pluginKeys count.",
      discussion:
        "Default: AUTHGRAPH_CONFIG, or authgraph.yaml in the current folder if it exists.",
      valueName: "file"),
    completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "A public key that may have signed the bundle; repeat the option for more.",
      valueName: "ed25519:base64"))
  var key: [String] = []

  @Option(help: "The folder of plug-ins.", completion: .directory)
  var folder = "Plugins"

  @OptionGroup var authority: AuthorityOptions

  @Flag(help: "Install without asking.") var yes = false
  @Flag(help: "Install an older or replaced version, and over a changed file.") var force = false

  @Argument(help: "The bundle's file, or its https address.")
  var bundle: String

  func run() throws {
    try reportingErrors(asJSON: false) {
      let keys = try AllowedKeys(ofConfiguration: config, given: key).keys
      let found = try BundleSource(bundle, isSigned: !keys.isEmpty, trusting: authority)
        .read()
      let folder = try PluginFiles.made(folder)
      let installation = try PluginInstallation(
        of: found, from: bundle, into: folder, keys: keys, isForced: force)
      guard !installation.isInstalled else {
        try StandardStreams.print(line: "\(installation.title) is installed already.")
        return
      }
      try StandardStreams.print(line: installation.title)
      for line in installation.summary { try StandardStreams.print(line: "  \(line)") }
      try ask()
      try installation.write()
      try StandardStreams.print(line: "\(installation.path) is written.")
    }
  }

  private func ask() throws {
    guard !yes else { return }
    if isatty(STDIN_FILENO) == 1,
      case .given = Consent(try TerminalPrompt().answer("Install it? [y/N] "))
    {
      return
    }
    throw AuthError(
      .operationNotAllowed, "Nothing was installed.", field: "yes",
      remedy: "Read what changes, and run it again with --yes.")
  }
}

extension PluginInstallation {
  fileprivate var title: String { "\(declaration.id) \(entry.version)" }

  /// The lines that a person reads before the installation.
  fileprivate var summary: [String] {
    var lines = [installed.map { "replaces: \($0.version)" } ?? "replaces: nothing"]
    let facts = declaration.metadata.texts.filter { ["author", "license"].contains($0.name) }
    lines += facts.map { "\($0.name): \($0.text)" }
    lines.append("digest: \(entry.digest)")
    if installed == nil || installed?.key == entry.key {
      lines.append("key: \(entry.key ?? "none, it is not signed")")
    } else {
      lines.append("key: +\(entry.key ?? "none") -\(installed?.key ?? "none")")
    }
    return lines + difference.description.split(separator: "\n").map(String.init)
  }
}
