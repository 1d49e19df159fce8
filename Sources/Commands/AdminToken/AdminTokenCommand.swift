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
      TOKEN.
      """,
    subcommands: [
      AdminTokenNewCommand.self, AdminTokenListCommand.self, AdminTokenRevokeCommand.self,
    ])
}

/// `authgraph admin-token new`: makes a token and prints it once.
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
      let token = try waiting {
        try await place.tokens.new(
          name: name, scopes: scopes, expiresAt: expiresAt, by: place.caller)
      }
      guard json else {
        try StandardStreams.print(token.reveal())
        let reach = scopes.contains(.server) ? "every project" : "the project \(place.caller.scope)"
        return StandardStreams.warn(
          "The token \(name) may in \(reach) "
            + "\(scopes.map(\.rawValue).sorted().joined(separator: ", ")), "
            + "\(expiresAt.map { "until \($0.text)" } ?? "until it is revoked"). Keep it: it is never "
            + "shown again.")
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
    commandName: "revoke", abstract: "Revoke a token. Servers refuse it within ten seconds.")

  @OptionGroup var options: ConfigurationOptions
  @Argument(help: "The token's name.") var name: String

  func run() throws {
    try reportingErrors(asJSON: false) {
      let place = try AdminTokenPlace(options)
      let name = name
      try waiting { try await place.tokens.revoke(name: name, by: place.caller) }
      try StandardStreams.print(line: "Revoked \(name).")
    }
  }
}

/// The tokens of a project, and the caller who manages them.
private struct AdminTokenPlace {
  let tokens: AdminTokens
  let caller: Caller

  init(_ options: ConfigurationOptions) throws {
    let source = options.source()
    let configuration = Configuration(source)
    // Other errors of the configuration do not concern the tokens.
    let matters = source.findings.filter { $0.severity == .error }
    if let finding = matters.first(where: { ["", "store", "project"].contains($0.field) }) {
      throw AuthError(
        .invalidArgument, "\(finding.place): \(finding.message)", field: finding.field,
        remedy: finding.remedy)
    }
    guard configuration.store != .memory else {
      throw AuthError(
        .invalidArgument, "A store in memory keeps no tokens.", field: "store",
        remedy: "Name the server's store; the emulator takes the token owner.")
    }
    tokens = AdminTokens(store: try configuration.store.open())
    caller = Caller(
      scope: Scope(project: configuration.project), authority: .admin(NSUserName()),
      reason: "authgraph admin-token")
  }
}

extension AdminToken {
  fileprivate func cells(at now: Timestamp) -> [String] {
    let isOver = expiresAt.map { $0 <= now } ?? false
    return [
      name, scopes.map(\.rawValue).sorted().joined(separator: " "), createdAt.text, createdBy,
      expiresAt.map { $0.text + (isOver ? " (over)" : "") } ?? "it is revoked",
    ]
  }

  fileprivate var json: JSONValue {
    [
      "name": .string(name), "createdAt": .string(createdAt.text), "createdBy": .string(createdBy),
      "scopes": .array(scopes.map(\.rawValue).sorted().map(JSONValue.string)),
      "expiresAt": .optional(expiresAt?.text),
    ]
  }
}

/// A duration or a time, as it is typed.
struct Lifetime: Equatable {
  private enum Kind: Equatable {
    case seconds(Int64)
    case moment(Timestamp)
  }

  private let kind: Kind

  init(_ text: String) throws(AuthError) {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
    if let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()),
      (1...1_000_000).contains(number)
    {
      kind = .seconds(number * unit)
    } else if let moment = Timestamp(rfc3339: text) {
      kind = .moment(moment)
    } else {
      throw AuthError(
        .invalidArgument, "\"\(text)\" is no length of time.", field: "expires",
        remedy: "Write it as 90m, 12h or 30d, or a time such as 2027-01-31T12:00:00Z.")
    }
  }

  func end(from now: Timestamp) -> Timestamp {
    switch kind {
    case .seconds(let seconds): Timestamp(milliseconds: now.milliseconds + seconds * 1000)
    case .moment(let moment): moment
    }
  }
}
