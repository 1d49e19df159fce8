import AdminConsole
import ArgumentParser
import AuthCore
import FakeVendors
import Foundation
import LuaPlugins
import PluginKit

/// `authgraph idp`: runs an identity provider on this machine, for trials without a vendor.
struct IdentityProviderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "idp",
    abstract: "Run an OpenID provider on this machine for tests, honest or hostile.",
    discussion: """
      For development: a sign-in proves nothing, because every program on this machine can sign in as any person. It \
      listens on 127.0.0.1 only, until Ctrl-C.

      /authorize shows a page to choose a person; ?person=SUBJECT, login_hint=EMAIL or a cookie person=SUBJECT \
      skips the page. Two more paths help tests: GET /tokens?person=SUBJECT&client_id=ID&nonce=TEXT&scope=TEXT \
      returns { id_token, access_token } without a browser. POST /hostile with {"names": ["algorithm-none"]} makes \
      the provider misbehave, and with {"names": []} honest again.

      --plugin FILE plays the vendor of a plug-in: its authorization page, its token endpoint (a form, JSON or GET, \
      under any names), its profile, the check of its tokens and their revocation, at the paths that the plug-in \
      declares and with the answers of its fixture, for the people and apps here.

      "issuer": "https://id.vendor.example" in a script makes the provider play the vendor of a plug-in: the \
      discovery document and the tokens have that issuer. servers = { ["id.vendor.example"] = \
      "http://127.0.0.1:8400" } in the plug-in's settings sends its requests here.
      """)

  @Option(help: "The port, or 0 for a free one.")
  var port = 8400

  @Option(
    help: ArgumentHelp(
      "A JSON file with people, apps, routes and behaviour.",
      discussion: "--example prints one.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var script: String?

  @Option(
    help: ArgumentHelp(
      "Play the vendor of this plug-in too, at the addresses that it declares, with its fixture's answers.",
      valueName: "file"),
    completion: .file(extensions: ["lua"]))
  var plugin: String?

  @Option(
    help: ArgumentHelp(
      "The person who signs in everywhere without a page.", valueName: "subject-or-email"))
  var person: String?

  @Option(
    help: ArgumentHelp(
      "Misbehave in this way; repeat the option for more. NAME@/PATH limits faults of the connection to a path.",
      discussion: "--list-hostile prints the names.", valueName: "name"))
  var hostile: [String] = []

  @Flag(help: "Print the names for --hostile, and exit.")
  var listHostile = false

  @Flag(help: "Print a script with every field, and exit.")
  var example = false

  @Flag(help: "Print the answer as one JSON object.")
  var json = false

  func run() throws {
    try reportingErrors(asJSON: json) {
      if example { return try StandardStreams.print(IdentityScript.exampleText) }
      if listHostile { return try Self.printHostileList(asJSON: json) }
      var script = try script.map { try Self.read($0) } ?? IdentityScript()
      script.hostile = try HostileSet(names: script.hostile.names + hostile)
      if let plugin {
        let source = try PluginSource(path: plugin)
        let provider = try LuaPlugin.provider(source, host: PluginHost(transport: NoNetwork()))
        try script.play(provider.declaration, of: source)
      }
      try serve(script)
    }
  }

  private func serve(_ script: IdentityScript) throws {
    // Before the server starts threads, because they inherit the blocked signals.
    let end = TerminationSignals()
    let (port, person) = (port, person)
    let provider = try waiting {
      try await ScriptedIdentityProvider.start(script, port: port, person: person)
    }
    let overview = provider.overview
    if json {
      try StandardStreams.print(overview.json)
    } else {
      try StandardStreams.print(overview.text)
    }
    end.wait()
    try waiting { await provider.stop() }
  }

  private static func read(_ file: String) throws -> IdentityScript {
    try IdentityScript(text: InputFile.text(of: file, field: "script"), source: file)
  }

  private static func printHostileList(asJSON: Bool) throws(AuthError) {
    let all = HostileBehavior.all
    if asJSON {
      return try StandardStreams.print(
        JSONValue.array(
          all.map { ["name": .string($0.name), "sentence": .string($0.sentence)] }))
    }
    let width = all.map(\.name.count).max() ?? 0
    for behavior in all {
      let padding = String(repeating: " ", count: width - behavior.name.count + 2)
      try StandardStreams.print(behavior.name + padding + behavior.sentence)
    }
  }
}
