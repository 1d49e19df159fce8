import AdminConsole
import ArgumentParser
import AuthCore
import Foundation
import SQLiteStore

/// `authgraph store backup`: writes a copy of a store in SQLite while it is in use.
struct StoreBackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Write a copy of a store in SQLite while it is in use.",
    discussion: """
      The copy is of one moment, and only its owner can read it. It is complete on the disk when the command ends; an \
      interrupted one leaves nothing.

      The key file is not copied: keep a copy of it in another place, because without it the secrets in the backup \
      are lost. To restore, end every process that uses the store, remove what is left of the store with its -wal and \
      -shm, and put the copy in its place.

      Back a store in PostgreSQL up with pg_dump.
      """)

  @OptionGroup var options: StoreOptions

  @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
  var to: String

  @Flag(help: "Replace the file if it exists.")
  var force = false

  func run() throws {
    try reportingErrors(asJSON: options.json) {
      guard case .sqlite(let path) = try options.location() else {
        throw AuthError(
          .invalidArgument, "Backups are made of stores in SQLite.", field: "store",
          remedy: "Use pg_dump for PostgreSQL.")
      }
      guard force || !FileManager.default.fileExists(atPath: to) else {
        throw AuthError(
          .invalidArgument, "The file \(to) exists.", field: "to",
          remedy: "Choose another name, or replace it with --force.")
      }
      let store = try SQLiteStore(firstReading: path, ofAnyVersion: true)
      let (target, force) = (to, force)
      let accounts = try waiting { try await store.backup(to: target, replacing: force) }
      let bytes = try FileManager.default.attributesOfItem(atPath: to)[.size] as? Int ?? 0
      let key = options.keyFile ?? "\(path).key"
      if options.json {
        let json: JSONValue = [
          "file": .string(to), "bytes": .integer(Int64(bytes)),
          "accounts": .integer(Int64(accounts)), "key": .string(key),
        ]
        return try StandardStreams.print(json)
      }
      let size = Int64(bytes).formatted(
        .byteCount(style: .file).locale(Locale(identifier: "en_US")))
      try StandardStreams.print(
        line: "Backed up \(accounts) account\(accounts == 1 ? "" : "s") to \(to), \(size).")
      try StandardStreams.print(
        line: "The key \(key) is not in it; keep a copy of the key in another place.")
    }
  }
}
