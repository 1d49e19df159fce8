import AdminConsole
import ArgumentParser
import AuthCore
import Foundation

/// `authgraph export [FILE]`: accounts in the format of Firebase's `auth:export`, in order of uid.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export accounts as JSON that Firebase's auth:import reads.",
    discussion: """
      The file holds password hashes; it is made readable for its owner alone. Without FILE the export \
      goes to standard output. From SQLite it is of one moment; from PostgreSQL each account is, but what \
      changes hands while the export runs may be in it twice, or not at all.
      """)

  @OptionGroup var options: StoreOptions

  @Argument(help: "The file; it must not exist yet.", completion: .file(extensions: ["json"]))
  var file: String?

  @Flag(help: "Replace the file where it exists.")
  var force = false

  func run() throws {
    try reportingErrors(asJSON: options.json) {
      let assembly = try Assembly(options, mustExist: true)
      let target = try ExportTarget(file: file, replacing: force)
      do {
        let (count, lost) = try waiting { try await Self.export(assembly, to: target) }
        try target.finish()
        if let file { ConsoleOutput.warn("\(count) accounts exported to \(file)") }
        if lost > 0 {
          ConsoleOutput.warn(
            "\(lost) secrets are left out: the format has no place for further passwords of accounts "
              + "that version 0.1 merged and for TOTP secrets.")
        }
      } catch {
        target.abandon()
        throw error
      }
    }
  }

  private static func export(_ assembly: Assembly, to target: ExportTarget) async throws -> (
    count: Int, lost: Int
  ) {
    let store = assembly.graph.store
    let scope = assembly.scope
    // A transaction of a database that servers share must not be long, and may run more than once.
    guard store is any SharedStore else {
      return try await store.read { reader in
        let run = ExportRun(target, total: try reader.accountCount(in: scope))
        while !run.isComplete { try run.add(try run.place.nextPage(of: reader, in: scope)) }
        return try run.finish()
      }
    }
    let run = ExportRun(
      target, total: try await store.lookUp { try $0.accountCount(in: scope) })
    while !run.isComplete {
      let place = run.place
      try run.add(try await store.lookUp { try place.nextPage(of: $0, in: scope) })
    }
    return try run.finish()
  }
}
