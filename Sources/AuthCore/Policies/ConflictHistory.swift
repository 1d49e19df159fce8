/// An account that another one absorbed by a merge that stands.
public struct AbsorbedAccount: Sendable, Hashable {
  /// The uid of the absorbed account.
  public internal(set) var uid: AccountID
  /// The time of the merge.
  public internal(set) var at: Timestamp

  /// Makes an entry.
  public init(_ uid: AccountID, at: Timestamp) {
    (self.uid, self.at) = (uid, at)
  }
}

/// The earlier merges of both accounts of a conflict, newest first.
public struct ConflictHistory: Sendable, Hashable {
  /// The number of an account's merges that a policy sees at most.
  public static let mostMerges = 10
  /// The number of an account's journal entries that are read for them; merges that were undone are entries too.
  static let mostEntries = 20

  /// The accounts that the account which wanted to link absorbed.
  public var current: [AbsorbedAccount]
  /// The accounts that the account in conflict absorbed.
  public var existing: [AbsorbedAccount]

  /// Makes a history; without arguments that of two accounts without merges.
  public init(current: [AbsorbedAccount] = [], existing: [AbsorbedAccount] = []) {
    (self.current, self.existing) = (current, existing)
  }
}

extension MergeConflict {
  /// Returns the conflict with the merges that its snapshot has.
  func remembering(_ snapshot: Snapshot) -> MergeConflict {
    var conflict = self
    conflict.history = ConflictHistory(
      current: snapshot.absorbed[current.id] ?? [], existing: snapshot.absorbed[existing.id] ?? [])
    return conflict
  }
}

extension AccountReader {
  /// Returns the accounts that an account absorbed by merges that stand, newest first, up to
  /// ``ConflictHistory/mostMerges``.
  func absorbed(by id: AccountID, in scope: Scope) throws -> [AbsorbedAccount] {
    let entries = try merges(
      involving: id, before: nil, limit: ConflictHistory.mostEntries, in: scope)
    let standing = entries.lazy.filter {
      $0.survivor == id && $0.undoneBy == nil && $0.endedAt == nil
    }
    return standing.prefix(ConflictHistory.mostMerges).map {
      AbsorbedAccount($0.absorbed, at: $0.at)
    }
  }
}

extension AccountGraph {
  /// Returns the earlier merges of two accounts as a policy sees them.
  public func history(
    ofConflict current: AccountID, with existing: AccountID, in scope: Scope
  ) async throws -> ConflictHistory {
    try await store.read { reader in
      ConflictHistory(
        current: try reader.absorbed(by: current, in: scope),
        existing: try reader.absorbed(by: existing, in: scope))
    }
  }
}
