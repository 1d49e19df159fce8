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
    abstract: "List the keys that seal the secrets of a store, and seal all with one key.",
    discussion: """
      A store has one key. If secrets were sealed with another one too, for example by a mistyped --key-file of an \
      earlier version, no server can open all secrets. Give the key for all secrets as --key-file and the other keys \
      as --also: secrets that another key opens are sealed again.

      Without --commit the command prints its plan and writes nothing. Secrets that no key opens are listed, and \
      stay unless --drop is given. Set them again with providers.configure. Second factors always stay: remove one \
      in the console with account.multiFactor:recover, after you have verified who the person is.

      Stop servers and other commands on the store first, and start them with the key of --key-file. Paths are \
      relative to the working directory.
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
      "The key that seals all secrets afterwards; the file must exist.",
      discussion:
        "Default: AUTHGRAPH_KEY_FILE, or the path of an SQLite store with .key appended.",
      valueName: "path"))
  var keyFile: String?

  @Option(
    help: ArgumentHelp(
      "Another key that secrets were sealed with; repeat the option for more.", valueName: "path"))
  var also: [String] = []

  @Flag(help: "Carry out the plan.") var commit = false
  @Flag(help: "Remove the secrets that no key opens, except second factors.") var drop = false
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
