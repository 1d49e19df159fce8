import AdminConsole
import ArgumentParser
import AuthCore
import LuaPlugins
import PluginKit

/// `authgraph plugin docs`: prints the documentation of a plug-in for admins, as Markdown.
struct PluginDocsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "docs",
    abstract: "Print a Markdown page for admins about plug-ins, made from their declarations.")

  @Argument(help: "Files, or folders of them.", completion: .file(extensions: ["lua"]))
  var files: [String]

  func run() throws {
    try reportingErrors(asJSON: false) {
      let pages = try PluginFiles.all(in: files).map { file throws(AuthError) in
        PluginDocs(
          try LuaPlugin.provider(
            try PluginSource(path: file), host: PluginHost(transport: NoNetwork()))
        ).text
      }
      try StandardStreams.print(pages.joined(separator: "\n\n"))
    }
  }
}
