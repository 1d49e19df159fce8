import ArgumentParser
import AuthCore
import Foundation

/// The options of every verb: the accounts to work on, and the form of the output.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "sqlite:PATH, postgres://USER@HOST/DATABASE, or memory: for a temporary store.",
      discussion: """
        Default: AUTHGRAPH_STORE, or a file in the user's data directory. Other users of the machine can see a \
        command line: put a password into AUTHGRAPH_STORE or a password file of PostgreSQL.
        """,
      valueName: "store"))
  var store: String?

  @Option(help: "The project of the accounts.")
  var project = "default"

  @Option(help: "The tenant of the project.")
  var tenant: String?

  @Option(
    name: .customLong("key-file"),
    help: ArgumentHelp(
      "The key that seals secrets in the store; created for a store that has none.",
      discussion:
        "A relative path starts from the working directory, while keyFile in a configuration starts from "
        + "that file's folder. Default: AUTHGRAPH_KEY_FILE, or the path of an SQLite store with .key appended; a "
        + "store in PostgreSQL has no default, and all servers and commands need the same key. The first secret or "
        + "the first server fixes the key of a store: then every other key is refused, and no file is created. Keep "
        + "a copy of the key, apart from backups of the store: without the key the secrets are lost, and with both "
        + "they can be read.",
      valueName: "path"))
  var keyFile: String?

  @Option(
    help: ArgumentHelp(
      "The way to send codes and links to people: log, or the URL of a web service.",
      discussion:
        "Default: AUTHGRAPH_MESSAGES, or log, which prints them to standard error. Requests to a web "
        + "service are signed with AUTHGRAPH_MESSAGES_SECRET.",
      valueName: "destination"))
  var messages: String?

  @Option(
    name: .customLong("plugins"),
    help: ArgumentHelp(
      "A folder of provider plug-ins; repeat the option for more.",
      discussion:
        "Default: AUTHGRAPH_PLUGINS, folders with colons between them, and plugins in the user's data "
        + "directory.",
      valueName: "folder"))
  var pluginFolders: [String] = []

  @Flag(help: "Answer in JSON.")
  var json = false

  @Option(
    name: .customLong("rehearsal-provider"),
    help: ArgumentHelp(
      "Add a provider that accepts every credential, to rehearse sign-ins.",
      discussion: "Do not use it on a store with real accounts.", valueName: "provider-id"))
  var rehearsalProviders: [String] = []

  /// Returns the folders of plug-ins: the requested ones, or the user's own if it exists.
  func folders() -> [String] {
    if !pluginFolders.isEmpty { return pluginFolders }
    let named = ProcessInfo.processInfo.environment["AUTHGRAPH_PLUGINS"] ?? ""
    let own = "\(UserDirectories.data)/plugins"
    return named.split(separator: ":").map(String.init)
      + (FileManager.default.fileExists(atPath: own) ? [own] : [])
  }

  /// Returns the scope.
  ///
  /// An empty name, as from an unset variable, is refused.
  func scope() throws(AuthError) -> Scope {
    for (field, name) in [("project", project), ("tenant", tenant ?? "-")] where name.isEmpty {
      throw AuthError(
        .invalidArgument, "The \(field) has no name.", field: field,
        remedy: "Give --\(field) a name, or leave it out.")
    }
    return Scope(project: project, tenant: tenant)
  }

  /// Returns the location of the accounts: from the option, the environment, or the default, in this order.
  func location() throws -> StoreLocation { try Self.location(of: store) }

  static func location(of store: String?) throws -> StoreLocation {
    try StoreLocation(
      store ?? ProcessInfo.processInfo.environment["AUTHGRAPH_STORE"]
        ?? "sqlite:\(UserDirectories.data)/accounts.db")
  }
}

/// The folders for a user's files, by the XDG base directory specification.
enum UserDirectories {
  static var data: String { directory("XDG_DATA_HOME", ".local/share") }
  static var state: String { directory("XDG_STATE_HOME", ".local/state") }
  static var configuration: String { directory("XDG_CONFIG_HOME", ".config") }

  static var home: String {
    ProcessInfo.processInfo.environment["HOME"].flatMap { $0.isEmpty ? nil : $0 }
      ?? NSHomeDirectory()
  }

  private static func directory(_ variable: String, _ fallback: String) -> String {
    let environment = ProcessInfo.processInfo.environment
    // The specification requires that relative paths are ignored.
    let base =
      environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/\(fallback)"
    return "\(base)/authgraph"
  }
}
