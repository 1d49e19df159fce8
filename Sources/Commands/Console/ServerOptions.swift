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

  /// Returns the connection; nil if no server is named.
  func link(
    _ options: StoreOptions, _ transport: HTTPClientTransport, creates: Bool, actor: String?
  ) throws -> ConsoleLink? {
    guard let server else {
      guard tokenFile == nil, !insecure else {
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
    let address = try address(server)
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

  /// Returns the address without slashes at its end.
  ///
  /// Throws `invalid-argument` for an address that is none, or for one without TLS unless it is this machine's.
  private func address(_ text: String) throws(AuthError) -> String {
    let address = String(text.reversed().drop { $0 == "/" }.reversed())
    let isPlain = address.lowercased().hasPrefix("http://")
    guard isPlain || address.lowercased().hasPrefix("https://"), URLText.host(of: address) != nil,
      !address.contains(where: { "?#@".contains($0) })
    else {
      throw AuthError(
        .invalidArgument, "\"\(text)\" is not the address of a server.", field: "server",
        remedy: "Write it like https://auth.example.com")
    }
    guard !isPlain || insecure || LoopbackHost.isHost(ofURL: address) else {
      throw AuthError(
        .invalidArgument, "\(address) has no TLS: others could read the token and all accounts.",
        field: "server",
        remedy: "Write https://, or add --insecure if the network is yours alone.")
    }
    return address
  }

  /// Returns the token of the file, or else of the environment.
  private func token() throws(AuthError) -> Secret<String> {
    let text: String
    if let tokenFile {
      text = try Self.contents(of: tokenFile)
    } else {
      text = ProcessInfo.processInfo.environment["AUTHGRAPH_TOKEN"] ?? ""
    }
    let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !token.isEmpty else {
      throw AuthError(
        .invalidArgument,
        tokenFile.map { "The file \($0) is empty." } ?? "There is no admin token.",
        field: "token-file",
        remedy:
          "Make one on the server with authgraph admin-token new --scope console:read, and give it with "
          + "--token-file FILE or in AUTHGRAPH_TOKEN.")
    }
    guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw AuthError(
        .invalidArgument, "The admin token is more than one word.", field: "token-file",
        remedy: "Put the token alone into the file.")
    }
    return Secret(token)
  }

  private static func contents(of path: String) throws(AuthError) -> String {
    let bytes: [UInt8]
    do throws(InputFile.Unreadable) {
      bytes = try InputFile.bytes(of: path, atMost: 64 << 10)
    } catch {
      throw AuthError(
        .invalidArgument, "The file \(path) cannot be read: \(error.reason).",
        field: "token-file", remedy: "Check the path and its permissions.", cause: error)
    }
    guard !SecretFile.isOpenToOthers(path) else {
      throw AuthError(
        .invalidArgument, "Other users can read the token in \(path).", field: "token-file",
        remedy: "Keep it to yourself: chmod 600 \(path)")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
