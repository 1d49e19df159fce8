import AdminConsole
import ArgumentParser
import AuthCore
import Foundation
import IdentityToolkit

/// `authgraph export [FILE]`: accounts in the format of Firebase's `auth:export`, in order of uid.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export accounts as JSON that Firebase's auth:import reads.",
    discussion: """
      The file holds password hashes; it is made readable for its owner alone. Without FILE the export \
      goes to standard output.
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
            "\(lost) secrets are left out: the format has no place for further passwords of merged "
              + "accounts and for TOTP secrets.")
        }
      } catch {
        target.abandon()
        throw error
      }
    }
  }

  private static let pageSize = 500

  /// Writes all accounts as one transaction sees them.
  private static func export(_ assembly: Assembly, to target: ExportTarget) async throws -> (
    count: Int, lost: Int
  ) {
    let scope = assembly.scope
    return try await assembly.graph.store.read { reader in
      let progress = ProgressBar(
        "export", total: try reader.accountCount(in: scope),
        profile: TerminalProfile.detect(fileDescriptor: STDERR_FILENO))
      defer { progress.finish() }
      var writer = try UserFileWriter { try target.write($0) }
      var last: AccountID?
      var count = 0
      var lost = 0
      while true {
        let page = try reader.accounts(
          matching: AccountFilter(), after: last, limit: pageSize, in: scope)
        for account in page {
          try writer.add(UserRecord(account, passwords: .exporting))
          lost += UserRecord.inexpressibleSecrets(of: account)
        }
        count += page.count
        progress.update(count)
        guard page.count == pageSize else { break }
        last = page.last?.id
      }
      try writer.finish()
      return (count, lost)
    }
  }
}
