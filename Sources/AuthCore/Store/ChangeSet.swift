/// The changes of a decision, computed before anything is written.
public struct ChangeSet: Hashable, Sendable {
  struct Update: Hashable, Sendable {
    let old: Account
    let new: Account
  }

  /// A text that is stored under a name, or removed.
  struct Checkpoint: Hashable, Sendable {
    let name: String
    let value: String?
  }

  var inserted: [Account] = []
  var updated: [Update] = []
  var deleted: [Account] = []
  var aliases: [AccountID: AccountID] = [:]
  var removedAliases: [AccountID] = []
  @Rare var merge: MergeRecord?
  /// The journal entry of a split or a move, or of its undo.
  @Rare var transfer: TransferRecord?
  /// The decision of merge policies behind the change, or behind its refusal.
  @Rare var decision: PolicyDecision?
  /// The deleted account that is kept to be restored.
  @Rare var kept: KeptDeletion?
  @Rare var settings: ProjectSettings?
  /// The versions to add to the history of the scope's policies.
  var policyVersions: [PolicyVersion] = []
  /// The progress of a long change.
  var checkpoint: Checkpoint?
  /// One-time records to add.
  var opened: [OneTimeRecord] = []
  /// The IDs of one-time records to remove.
  var closed: [String] = []
  /// One-time uses to record.
  var uses: [OneTimeUse] = []
  /// The new session, stored in the same commit.
  var session: SessionRecord?

  init() {}

  mutating func update(_ old: Account, to new: Account) {
    guard old != new else { return }
    updated.append(Update(old: old, new: new))
  }

  /// Appends the changes of an update's next operation, none of which deletes, merges or configures.
  mutating func append(_ next: ChangeSet) {
    inserted += next.inserted
    for update in next.updated {
      if let index = inserted.firstIndex(where: { $0.id == update.new.id }) {
        inserted[index] = update.new
      } else if let index = updated.firstIndex(where: { $0.new.id == update.new.id }) {
        updated[index] = Update(old: updated[index].old, new: update.new)
      } else {
        updated.append(update)
      }
    }
    opened += next.opened
    closed += next.closed
    uses += next.uses
  }

  /// Returns an account after the change; nil if it does not exist.
  func account(_ id: AccountID, from snapshot: Snapshot) -> Account? {
    guard !deleted.contains(where: { $0.id == id }) else { return nil }
    return inserted.first { $0.id == id } ?? updated.first { $0.new.id == id }?.new
      ?? snapshot.accounts[id]
  }

  /// Returns the mark of an account's new sessions, if the change ends the earlier ones.
  func nextSessions(of id: AccountID) -> SessionMark? {
    let update = updated.first { $0.new.id == id }
    guard let update, update.old.sessionMark != update.new.sessionMark else { return nil }
    return update.new.sessionMark
  }

  /// The state of the survivor after the merge of the change; nil if there is none.
  var survivorState: AccountState? {
    guard let merge else { return nil }
    let update = updated.first { $0.new.id == merge.survivor }
    return AccountState(
      revision: update.map { $0.old.revision + 1 } ?? merge.survivorBefore.revision,
      owner: (update?.new ?? merge.survivorBefore).ownership?.mark)
  }

  /// Writes everything as one change: first the writes that free keys, then those that take them, and the events.
  ///
  /// One-time records of an account are removed when its sessions end, and everything of an owner when the ownership
  /// ends.
  func apply(
    to writer: any AccountWriter, in scope: Scope, at now: Timestamp, with events: [AuditEvent]
  ) throws {
    try writer.apply(try writes(on: writer, in: scope, at: now) + [.append(events)], in: scope)
  }

  private func writes(
    on reader: any AccountReader, in scope: Scope, at now: Timestamp
  ) throws -> [StoreWrite] {
    var writes: [StoreWrite] = []
    // An absorbed account lives on in its survivor.
    for account in deleted where aliases[account.id] == nil {
      writes += try reader.endOfOwnership(
        of: account, isDeleted: true, at: now, try reader.settings(of: scope))
    }
    if var kept {
      kept.absorbed = try reader.namesLeading(to: kept.account.id, in: scope)
      writes += kept.records.map(StoreWrite.saveRecord)
    }
    for account in deleted {
      writes += [.delete(account), .removeRecords(of: account.id)]
      guard aliases[account.id] != nil else { continue }
      // No session continues under an absorbed uid, and a kept one would name its account.
      let memory = now.adding(seconds: SessionRecord.memoryOfDeletion)
      writes.append(.removeSessions(of: account.id, rememberedUntil: memory))
    }
    writes += removedAliases.map { .setAlias($0, for: nil) }
    for update in updated {
      writes.append(.update(update.new, replacing: update.old))
      let isAnothers = update.old.ownership != update.new.ownership
      if isAnothers || update.new.endsSessions(of: update.old) {
        writes.append(.removeRecords(of: update.new.id))
      }
      if isAnothers {
        writes += try reader.endOfOwnership(
          of: update.new, isDeleted: false, at: now, try reader.settings(of: scope))
      }
    }
    if !inserted.isEmpty { writes.append(.insert(inserted)) }
    writes += aliases.map { .setAlias($0, for: $1) }
    if let merge {
      writes.append(.saveMerge(merge))
      if merge.undoneBy == nil, let state = survivorState {
        writes += try reader.additions(of: merge, leaving: state)
      }
      if let end = merge.endedAt, try reader.settings(of: scope).mergeRetentionDays == 0 {
        writes.append(.removeMerges(endedBefore: end))
      }
    }
    if let transfer {
      writes += try transfer.writes(on: reader, at: now, try reader.settings(of: scope))
    }
    if let settings {
      if try settings.deletionRetentionDays < reader.settings(of: scope).deletionRetentionDays {
        writes += try reader.removals(ofDeletionsOverBy: (now, settings), in: scope)
      }
      writes += [
        .saveSettings(settings), .removeMerges(endedBefore: settings.endOfMerges(at: now)),
      ]
    }
    if let decision { writes.append(.saveDecision(decision)) }
    writes += try policyVersions.map { try $0.write() }
    if let checkpoint { writes.append(.saveCheckpoint(checkpoint.name, checkpoint.value)) }
    writes += closed.map(StoreWrite.removeRecord)
    writes += opened.map(StoreWrite.saveRecord)
    writes += uses.map(StoreWrite.use)
    writes += try marksOfLeaving(on: reader, in: scope, at: now)
    if let session { writes.append(.beginSession(session)) }
    return writes
  }
}
