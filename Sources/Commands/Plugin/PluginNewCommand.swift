import AdminConsole
import ArgumentParser
import AuthCore
import PluginKit

/// `authgraph plugin new`: writes a plug-in and its fixture, which pass test unchanged.
struct PluginNewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Write a new plug-in and its fixture as a starting point.",
    discussion: "The files are NAME.lua and NAME.fixture.json. Existing files are not overwritten.")

  @Option(help: "The kind of the plug-in: oauth2, oidc or custom.")
  var kind = "oauth2"

  @Option(
    help: "The folder of the files, created if it is missing; by default the current folder.",
    completion: .directory)
  var folder: String?

  @Argument(help: "The provider's ID, such as example.com.")
  var name: String

  func run() throws {
    try reportingErrors(asJSON: false) {
      guard let kind = PluginTemplate.Kind(rawValue: kind) else {
        throw AuthError(
          .invalidArgument, "There is no kind \"\(kind)\".", field: "kind",
          remedy: suggestion(for: kind, among: PluginTemplate.Kind.allCases.map(\.rawValue)))
      }
      let template = try PluginTemplate(id: name, kind: kind)
      let base = try folder.map { "\(try PluginFiles.made($0))/\(name)" } ?? name
      try PluginFiles.write([
        (path: "\(base).lua", text: template.plugin),
        (path: "\(base).fixture.json", text: template.fixture),
      ])
      try StandardStreams.print(
        """
        \(base).lua and \(base).fixture.json are written. Next:
          authgraph plugin check \(base).lua
          authgraph plugin test \(base).lua
        """)
    }
  }
}
