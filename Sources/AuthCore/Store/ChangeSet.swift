/// The rows that a decision writes, computed before anything is written.
public struct ChangeSet: Hashable, Sendable {
  struct Update: Hashable, Sendable {
    let old: Account
    let new: Account
  }

  var inserted: [Account] = []
  var updated: [Update] = []
  var deleted: [Account] = []
  var aliases: [AccountID: AccountID] = [:]
  var removedAliases: [AccountID] = []
  var merge: MergeRecord?
  var settings: ProjectSettings?

  init() {}

  mutating func update(_ old: Account, to new: Account) {
    guard old != new else { return }
    updated.append(Update(old: old, new: new))
  }

  /// Writes the rows: first what frees keys, then what takes them.
  func apply(to writer: any AccountWriter, in scope: Scope) throws {
    for account in deleted { try writer.delete(account) }
    for alias in removedAliases { try writer.removeAlias(alias, in: scope) }
    for update in updated { try writer.update(update.new, replacing: update.old) }
    for account in inserted { try writer.insert(account) }
    for (absorbed, survivor) in aliases {
      try writer.setAlias(absorbed, for: survivor, in: scope)
    }
    if let merge { try writer.save(merge) }
    if let settings { try writer.save(settings, for: scope) }
  }
}
