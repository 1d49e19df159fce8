import AdminConsole
public import ArgumentParser
import AuthCore
public import Conformance
import HTTPClientTransport

/// The server to compare, and the rights there.
struct ConformanceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The address of the server, such as http://127.0.0.1:9099.", valueName: "url"))
  var url: String?

  @Option(
    help: ArgumentHelp(
      "The promises to compare with: emulator or production.",
      discussion: "Default: production with --admin-token-file, and else emulator.",
      valueName: "mode"))
  var mode: ConformanceMode?

  @Option(help: "The project in which accounts are created and deleted.")
  var project = "demo-project"

  @Option(help: "The API key of an app.")
  var key = "conformance"

  @Option(
    name: .customLong("admin-token-file"),
    help: ArgumentHelp(
      "The file with an admin token of the scope all. An emulator needs none.", valueName: "path"))
  var adminTokenFile: String?

  @Flag(help: "Allow a server without TLS on another machine. Others can then read the token.")
  var insecure = false

  @OptionGroup var authority: AuthorityOptions

  /// The given mode, or the one that follows from the other options.
  var effectiveMode: ConformanceMode { mode ?? (adminTokenFile == nil ? .emulator : .production) }

  /// Makes the target; throws `invalid-argument` for an address that is none, or without a token in production.
  func target(_ transport: HTTPClientTransport) throws(AuthError) -> ConformanceTarget {
    guard let url else {
      throw AuthError(
        .invalidArgument, "There is no server.", field: "url",
        remedy: "Give its address: --url http://127.0.0.1:9099")
    }
    let address = try ServerAddress.text(of: url, field: "url", allowsPlain: insecure)
    try authority.check(for: address)
    let mode = effectiveMode
    return ConformanceTarget(
      url: address, mode: mode, project: project, key: Secret(key),
      adminToken: try adminToken(for: mode), isPrivate: !transport.usesProxy(for: address))
  }

  private func adminToken(for mode: ConformanceMode) throws(AuthError) -> Secret<String> {
    if let adminTokenFile {
      return try AdminTokenText.contents(of: adminTokenFile, field: "admin-token-file")
    }
    guard mode == .emulator else {
      throw AuthError(
        .invalidArgument, "A production server needs an admin token.", field: "admin-token-file",
        remedy:
          "Make one with authgraph admin-token new --project \(project) --scope all, and give its file."
      )
    }
    // Firebase's emulator takes this word for an admin.
    return Secret("owner")
  }
}

extension ConformanceMode: ExpressibleByArgument {}
