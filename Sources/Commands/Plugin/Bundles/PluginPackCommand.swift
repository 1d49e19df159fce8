import AdminConsole
import ArgumentParser
import AuthCore
import Foundation
import LuaPlugins

/// `authgraph plugin pack`: makes one file of a plug-in and its parts, for others.
struct PluginPackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack",
    abstract: "Pack a plug-in, its modules, its fixture and its icon into one file.",
    discussion: """
      Equal files give equal bundles. The file must have no error of plugin check, and a version. Test it first: \
      pack does not run it. A signed bundle is replaced only with --force, because its signatures are lost.
      """)

  @Option(
    help: ArgumentHelp(
      "The bundle; by default ID-VERSION.plugin in the current folder.", valueName: "file"))
  var output: String?

  @Flag(help: "Replace a signed bundle by one without signatures.") var force = false

  @Argument(help: "The plug-in, or a folder with one.", completion: .file(extensions: ["lua"]))
  var file: String

  func run() throws {
    try reportingErrors(asJSON: false) {
      let files = try PluginFiles.all(in: [file], withBundles: false)
      guard files.count == 1, let path = files.first else {
        throw AuthError(
          .invalidArgument, "The folder \(file) holds \(files.count) plug-ins.", field: "file",
          remedy: "Name the file of one.")
      }
      guard !PluginBundle.isOne(path) else {
        throw AuthError(
          .invalidArgument, "\(path) is a bundle already.", field: "file",
          remedy: "Name the plug-in's Lua file.")
      }
      let errors = PluginCheck.findings(in: try PluginSource(path: path)).filter {
        $0.severity == .error
      }
      for finding in errors { StandardStreams.warn("\(finding)") }
      guard errors.isEmpty else { throw ExitCode.failure }
      let bundle = try PluginBundle(packing: path)
      let output = try output ?? bundle.fileName(of: bundle.declaration())
      try checkSignatures(of: output)
      try BundleFile.write(bundle, to: output)
      try StandardStreams.print(
        """
        \(output) is written, \(bundle.digest):
          \(bundle.names.joined(separator: "\n  "))
        """)
    }
  }

  /// Refuses to replace a signed bundle, whose signatures would be lost, without `--force`.
  private func checkSignatures(of output: String) throws(AuthError) {
    guard !force, let old = try? PluginBundle(path: output), !old.keys.isEmpty else { return }
    throw AuthError(
      .operationNotAllowed,
      "\(output) is signed by \(old.keys.joined(separator: ", ")), and was not replaced.",
      field: "output",
      remedy: "Choose another name with --output, or replace it with --force and sign it again.")
  }
}

/// The file of a bundle that a command writes.
enum BundleFile {
  /// Replaces the file as a whole; throws `invalid-argument` if it cannot be written, or has another ending.
  static func write(_ bundle: PluginBundle, to path: String) throws(AuthError) {
    guard PluginBundle.isOne(path) else {
      throw AuthError(
        .invalidArgument, "\(path) is no name of a bundle.", field: "output",
        remedy: "End it with \(PluginBundle.ending).")
    }
    do {
      try Data(bundle.text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw AuthError(
        .invalidArgument, "\(path) cannot be written.", field: "output",
        remedy: "Check the folder.", cause: error)
    }
  }
}
