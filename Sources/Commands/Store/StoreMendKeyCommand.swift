import AdminConsole
import ArgumentParser
import AuthCore
import BuiltInProviders
import Foundation
import IdentityToolkitService

/// `authgraph store mend-key`: seals all secrets of a store with one key.
struct StoreMendKeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mend-key",
    abstract: "Show which keys the secrets of a store are sealed with, and seal all with one.",
    discussion: """
      A store has one key. If another one was used as well, as a mistyped --key-file of an earlier version made it, \
      servers with either key meet secrets that they cannot open. Name the key that all of them are to have by \
      --key-file, and the others by --also: what another key opens is sealed anew.

      Without --commit the command shows its plan and writes nothing. What no key opens is named, and stays unless \
      --drop is given. Set such a secret again with providers.configure. Second factors always stay: take one away in \
      the console with account.multiFactor:recover once the person has shown who they are.

      Stop servers and other commands on the store before, and start them with the key file of --key-file. Paths are \
      meant from the working directory.
      """)

  @Option(
    help: ArgumentHelp(
      "sqlite:PATH or postgres://USER@HOST/DATABASE.",
      discussion: "Default: AUTHGRAPH_STORE, or a file in the user's data directory.",
      valueName: "store"))
  var store: String?

  @Option(
    name: .customLong("key-file"),
    help: ArgumentHelp(
      "The key that seals everything afterwards; it has to be there.",
      discussion:
        "Default: AUTHGRAPH_KEY_FILE, or the path of an SQLite store with .key behind it.",
      valueName: "path"))
  var keyFile: String?

  @Option(
    help: ArgumentHelp(
      "Another key that secrets were sealed with; may be given more than once.", valueName: "path"))
  var also: [String] = []

  @Flag(help: "Carry the plan out.") var commit = false
  @Flag(help: "Remove what no key opens, but no second factors.") var drop = false
  @Flag(help: "Answer in JSON.") var json = false

  func run() throws {
    try reportingErrors(asJSON: json) {
      let location = try StoreOptions.location(of: store)
      let path = keyFile ?? ProcessInfo.processInfo.environment["AUTHGRAPH_KEY_FILE"]
      guard let key = location.sealing(keyFile: path) as? KeyFileSealing else {
        throw AuthError(
          .invalidArgument, "No key file is named.", field: "keyFile",
          remedy: "Name the key that is to seal everything by --key-file.")
      }
      // Both before the store is opened: a mistyped name changes nothing.
      let others = try also.map { path in
        let other = KeyFileSealing(path: path)
        return (id: try other.keyID(), sealing: other)
      }
      let id = try key.keyID()
      let opened = try location.open(mustExist: true)
      let (commit, drop) = (commit, drop)
      let findings = try waiting {
        try await StoreKey(store: opened, secrets: key).reseal(
          with: others.map(\.sealing), commits: commit, drops: drop)
      }
      var names = [id: key.path]
      for other in others { names[other.id] = names[other.id] ?? other.sealing.path }
      let summary = ResealingSummary(
        findings: findings, keyID: id, names: names, isCommitted: commit)
      if json { return try StandardStreams.print(summary.json) }
      try StandardStreams.print(summary)
    }
  }
}
