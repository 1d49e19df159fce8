import AuthCore
import BuiltInProviders
import UserFiles
import IdentityToolkitService

/// The request for an export, before the store is read.
struct ExportPlan: Sendable {
  let graph: AccountGraph
  let scope: Scope
  let isForFirebase: Bool
  /// The requested kind of hashes.
  let hashes: String?

  /// Writes every account of the scope to a file.
  func export(to target: ExportTarget) async throws -> ExportOutcome {
    let (plan, store, scope) = (self, graph.store.unkeyed, scope)
    // Transactions of a shared database must be short, and may run more than once.
    guard store is any SharedStore else {
      return try await store.read { reader in
        let known = Self.parameters(try reader.settings(of: scope))
        var choice = HashChoice(known, wanted: plan.hashes)
        var first = ExportRun.Place()
        while plan.isForFirebase, let page = try first.next(of: reader, in: scope) {
          for account in page { choice.count(account) }
        }
        let run = ExportRun(
          target, try plan.contents(known, choice), total: try reader.accountCount(in: scope))
        while !run.isComplete { try run.add(try run.place.nextPage(of: reader, in: scope)) }
        return try run.finish()
      }
    }
    let known = Self.parameters(try await store.read(from: .replica) { try $0.settings(of: scope) })
    var choice = HashChoice(known, wanted: hashes)
    var first = ExportRun.Place()
    while isForFirebase, !first.isComplete {
      let place = first
      let page = try await store.read(from: .replica) { try place.nextPage(of: $0, in: scope) }
      for account in page { choice.count(account) }
      first.pass(page)
    }
    let run = ExportRun(
      target, try contents(known, choice),
      total: try await store.read(from: .replica) { try $0.accountCount(in: scope) })
    while !run.isComplete {
      let place = run.place
      try run.add(try await store.read(from: .replica) { try place.nextPage(of: $0, in: scope) })
    }
    return try run.finish()
  }

  /// Returns the hash parameters that were imported into the scope, by their name.
  ///
  /// Unreadable parameters are omitted, and their hashes are reported.
  private static func parameters(
    _ settings: ProjectSettings
  ) -> [String: PasswordHashParameters] {
    settings.passwordHashParameters.compactMapValues { try? PasswordHashParameters(stored: $0) }
  }

  private func contents(
    _ known: [String: PasswordHashParameters], _ choice: HashChoice
  ) throws(AuthError) -> ExportContents {
    let door = RecordDoor(
      scope: scope, passwords: .exporting(known), registered: graph.providers.ids,
      at: .now(), totp: graph.totpSecrets(in: scope))
    return ExportContents(
      door: door, isForFirebase: isForFirebase,
      hashes: isForFirebase ? try choice.chosen() : nil, known: known)
  }
}
