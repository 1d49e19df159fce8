import AdminConsole
import ArgumentParser
import AuthCore
import Foundation
import SessionTokens

/// `authgraph admin-token`: manages the tokens with which admins and their tools call the server.
struct AdminTokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "admin-token", abstract: "Make, list and revoke the tokens of admins.",
    discussion: """
      A token is valid for one project and its tenants. The scope server extends its other scopes to all projects, \
      and allows plug-ins and metrics, which belong to the server. A tool sends the token as Authorization: Bearer \
      TOKEN. A service account has a key file instead, which Firebase's Admin SDKs read; with the scope \
      accounts:write it also signs custom tokens.
      """,
    subcommands: [
      AdminTokenNewCommand.self, AdminTokenListCommand.self, AdminTokenRotateCommand.self,
      AdminTokenRevokeCommand.self,
    ])
}

/// `authgraph admin-token new`: makes a token and prints it once, or makes a service account and writes its file.
struct AdminTokenNewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Make a token and print it. It cannot be shown again.")

  @OptionGroup var options: ConfigurationOptions

  @Option(
    help: ArgumentHelp(
      "A scope of the token; repeat the option for more.",
      discussion: AdminScope.allCases.map(\.rawValue).joined(separator: ", ")
        + "; all allows everything in the project, and server the whole server.",
      valueName: "scope"))
  var scope: [String] = []

  @Option(help: "The name in the audit log; by default the user and the time.")
  var name: String?

  @Option(
    help: ArgumentHelp(
      "The lifetime, such as 90m, 12h or 30d, or the end, such as 2027-01-31T12:00:00Z.",
      discussion: "Default: no end.", valueName: "time"))
  var expires: String?

  @Option(
    help: ArgumentHelp(
      "Make a service account and write its file, in the form of Google's, instead of a token.",
      discussion:
        "A new file with mode 0600, or - for standard output. Its token_uri is the server's publicURL.",
      valueName: "file"), completion: .file())
  var serviceAccount: String?

  @Flag(help: "Answer in JSON.") var json = false

  func run() throws {
    try reportingErrors(asJSON: json) {
      let place = try AdminTokenPlace(options)
      let scopes = try self.scopes()
      let now = Timestamp.now()
      let expiresAt = try expires.map { text throws(AuthError) in try Lifetime(text).end(from: now)
      }
      let name =
        self.name ?? "\(NSUserName())-\(now.text.prefix(19).replacing(":", with: "-"))"
      let reach = scopes.contains(.server) ? "every project" : "the project \(place.caller.scope)"
      let rights =
        "has the \(scopes.count == 1 ? "scope" : "scopes") "
        + "\(scopes.map(\.rawValue).sorted().joined(separator: ", ")) in \(reach), "
        + "\(expiresAt.map { "until \($0.text)" } ?? "until it is revoked")"
      if let serviceAccount {
        let file = try place.write(to: serviceAccount) {
          try await place.tokens.newServiceAccount(
            name: name, scopes: scopes, expiresAt: expiresAt, server: place.server,
            by: place.caller)
        }
        return try file.tell(
          "The service account \(name) \(rights).", asJSON: json, to: serviceAccount)
      }
      let token = try waiting {
        try await place.tokens.new(
          name: name, scopes: scopes, expiresAt: expiresAt, by: place.caller)
      }
      guard json else {
        try StandardStreams.print(token.reveal())
        return StandardStreams.warn(
          "The token \(name) \(rights). Keep it: it is never shown again.")
      }
      try StandardStreams.print(
        JSONValue.object([
          "name": .string(name), "token": .string(token.reveal()),
          "scopes": .array(scopes.map(\.rawValue).sorted().map(JSONValue.string)),
          "expiresAt": .optional(expiresAt?.text),
        ]))
    }
  }

  private func scopes() throws(AuthError) -> Set<AdminScope> {
    var scopes: Set<AdminScope> = []
    for name in scope.flatMap({ $0.split(separator: ",").map(String.init) }) {
      guard let scope = AdminScope(rawValue: name) else {
        throw AuthError(
          .invalidArgument, "There is no scope \"\(name)\".", field: "scope",
          remedy: suggestion(for: name, among: AdminScope.allCases.map(\.rawValue)))
      }
      scopes.insert(scope)
    }
    return scopes
  }
}

/// `authgraph admin-token list`: lists the tokens.
struct AdminTokenListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the names, scopes and ends of a project's tokens.")

  @OptionGroup var options: ConfigurationOptions
  @Flag(help: "Answer in JSON.") var json = false

  func run() throws {
    try reportingErrors(asJSON: json) {
      let place = try AdminTokenPlace(options)
      let tokens = try waiting {
        try await place.tokens.list(project: place.caller.scope.project)
      }
      guard json else {
        var table = TextTable(columns: [
          TextTable.Column("name", keepsWhole: true), "scopes", "made", "by", "until",
          "service account",
        ])
        for token in tokens { table.append(token.cells(at: .now()).map { Cell($0) }) }
        return try StandardStreams.print(table)
      }
      try StandardStreams.print(JSONValue.array(tokens.map(\.json)))
    }
  }
}

/// `authgraph admin-token revoke NAME`: revokes a token.
struct AdminTokenRevokeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "Revoke a token or a service account. Servers refuse it within ten seconds.",
    discussion: "With a service account its access tokens and its custom tokens are refused too.")

  @OptionGroup var options: ConfigurationOptions
  @Argument(help: "The name of the token or the service account.") var name: String

  func run() throws {
    try reportingErrors(asJSON: false) {
      let place = try AdminTokenPlace(options)
      let name = name
      try waiting { try await place.tokens.revoke(name: name, by: place.caller) }
      try StandardStreams.print(line: "Revoked \(name).")
    }
  }
}

extension AdminToken {
  fileprivate func cells(at now: Timestamp) -> [String] {
    let isOver = expiresAt.map { $0 <= now } ?? false
    return [
      name, scopes.map(\.rawValue).sorted().joined(separator: " "), createdAt.text, createdBy,
      expiresAt.map { $0.text + (isOver ? " (over)" : "") } ?? "it is revoked",
      serviceAccount?.email ?? "",
    ]
  }

  fileprivate var json: JSONValue {
    [
      "name": .string(name), "createdAt": .string(createdAt.text), "createdBy": .string(createdBy),
      "scopes": .array(scopes.map(\.rawValue).sorted().map(JSONValue.string)),
      "expiresAt": .optional(expiresAt?.text),
      "serviceAccount": .optional(serviceAccount?.email),
      "keys": .array(serviceAccount?.keys.map { .string($0.id) } ?? []),
    ]
  }
}
