import AdminConsole
import ArgumentParser
import AuthCore
import Foundation
import HTTPClientTransport
import IdentityToolkitService

/// The options of a console on a server.
struct ServerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Open the console on a running server, such as https://auth.example.com.",
      discussion: """
        The token needs the scope console:read, or console:write to write, and the scopes of what it reads and writes. \
        Files and secrets stay on this machine until a statement asks for them.
        """,
      valueName: "url"))
  var server: String?

  @Option(
    name: .customLong("token-file"),
    help: ArgumentHelp(
      "The file with the admin token. Default: the token in AUTHGRAPH_TOKEN.", valueName: "path"))
  var tokenFile: String?

  @Flag(help: "Allow a server without TLS. Others can then read the token and all accounts.")
  var insecure = false

  @OptionGroup var authority: AuthorityOptions

  /// Returns the connection; nil if no server is named.
  func link(
    _ options: StoreOptions, _ transport: HTTPClientTransport, creates: Bool, actor: String?
  ) throws -> ConsoleLink? {
    guard let server else {
      guard tokenFile == nil, !insecure, authority.authorities == nil else {
        throw AuthError(
          .invalidArgument, "There is no --server.", field: "server",
          remedy: "Give its address: --server https://auth.example.com")
      }
      return nil
    }
    try refuseStore(options, creates)
    guard actor == nil else {
      throw AuthError(
        .invalidArgument, "--actor and --server exclude each other: the token has its name.",
        field: "actor", remedy: "Leave out --actor, or use a token of that name.")
    }
    let address = try ServerAddress.text(of: server, field: "server", allowsPlain: insecure)
    try authority.check(for: address)
    let scope = try options.scope()
    return ConsoleLink(
      server: address, project: scope.project, tenant: scope.tenant, token: try token(),
      transport: transport, isPrivate: !transport.usesProxy(for: address))
  }

  /// Refuses options of a store, which the server has itself.
  private func refuseStore(_ options: StoreOptions, _ creates: Bool) throws(AuthError) {
    let given = [
      ("store", options.store != nil), ("key-file", options.keyFile != nil),
      ("messages", options.messages != nil), ("plugins", !options.pluginFolders.isEmpty),
      ("rehearsal-provider", !options.rehearsalProviders.isEmpty), ("create", creates),
    ]
    guard let (name, _) = given.first(where: \.1) else { return }
    throw AuthError(
      .invalidArgument, "--\(name) and --server exclude each other: the server has its own.",
      field: name, remedy: "Leave out one of the two.")
  }

  /// Returns the token of the file, or else of the environment.
  private func token() throws(AuthError) -> Secret<String> {
    if let tokenFile { return try AdminTokenText.contents(of: tokenFile, field: "token-file") }
    return try AdminTokenText.checked(
      ProcessInfo.processInfo.environment["AUTHGRAPH_TOKEN"] ?? "", field: "token-file")
  }
}
