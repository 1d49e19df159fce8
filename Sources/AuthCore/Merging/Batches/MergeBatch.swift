/// Merges that an admin commits together and can undo together.
///
/// The store keeps its pairs until they are merged, and the merges in their order, each added by the transaction that
/// makes it. So a batch goes on after a crash, and no pair is merged twice.
public struct MergeBatch: Hashable, Sendable, Codable, Identifiable {
  /// The batch's ID.
  public let id: String
  /// The time of the first commit.
  public let begunAt: Timestamp
  /// The name of the admin who began it.
  public let actor: String
  /// The reason of the first commit.
  public let reason: String?
  /// The number of pairs of its last list that were not merged yet.
  public internal(set) var planned: Int
  /// The number of its merges, undone ones included.
  public internal(set) var merged: Int

  /// A merge of a batch.
  public struct Entry: Hashable, Sendable, Codable, Identifiable {
    /// The ID of the merge.
    public let id: String
    /// The account that survived.
    public let keep: AccountID
    /// The account that was absorbed.
    public let absorb: AccountID
    /// The state of the survivor after the merge.
    public let keepState: AccountState
  }

  init(id: String, begunAt: Timestamp, actor: String, reason: String?) {
    self.id = id
    self.begunAt = begunAt
    self.actor = actor
    self.reason = reason
    planned = 0
    merged = 0
  }

  static let index = "merge-batches"
  /// The number of batches that the store lists; older ones are found by their IDs.
  public static let mostListed = 1000
  /// The number of merges, or of pairs, in one stored text.
  static let page = 50

  /// The name of the text of a batch, of a page of its merges, or of a page of its pairs.
  static func checkpoint(_ id: String) -> String { "merge-batch:\(id)" }
  static func log(_ id: String, _ page: Int) -> String { "\(checkpoint(id)):merges:\(page)" }
  static func plan(_ id: String, _ page: Int) -> String { "\(checkpoint(id)):pairs:\(page)" }

  static func pages(_ count: Int) -> Int { (count + page - 1) / page }

  /// Throws `invalid-argument` unless a text may be the ID of a batch.
  public static func check(_ id: String) throws(AuthError) {
    guard id.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9-]{0,63}/) != nil else {
      throw AuthError(
        .invalidArgument, "A batch's ID has letters, digits and hyphens.", field: "batch",
        remedy: "Look at the batches with merge.batches().")
    }
  }
}

extension AccountReader {
  func mergeBatch(_ id: String, in scope: Scope) throws -> MergeBatch? {
    try checkpoint(MergeBatch.checkpoint(id), in: scope)
      .map { try JSONText.decode(MergeBatch.self, $0) }
  }

  /// Returns the merges of a batch in the order of their commits.
  func entries(of batch: MergeBatch, in scope: Scope) throws -> [MergeBatch.Entry] {
    try (0..<MergeBatch.pages(batch.merged)).flatMap {
      try page(of: MergeBatch.Entry.self, MergeBatch.log(batch.id, $0), in: scope)
    }
  }

  func pairs(of batch: MergeBatch, in scope: Scope) throws -> [MergePair] {
    try (0..<MergeBatch.pages(batch.planned)).flatMap {
      try page(of: MergePair.self, MergeBatch.plan(batch.id, $0), in: scope)
    }
  }

  private func page<Part: Decodable>(
    of type: Part.Type, _ name: String, in scope: Scope
  ) throws -> [Part] {
    try checkpoint(name, in: scope).map { try JSONText.decode([Part].self, $0) } ?? []
  }

  /// Returns the writes that add a merge to its batch; none if it belongs to no batch.
  func additions(of merge: MergeRecord, leaving survivor: AccountState) throws -> [StoreWrite] {
    guard let id = merge.batch else { return [] }
    let known = try mergeBatch(id, in: merge.scope)
    // A rehearsal has no batch.
    var batch =
      known
      ?? MergeBatch(id: id, begunAt: merge.at, actor: merge.actor, reason: merge.reason)
    let name = MergeBatch.log(id, batch.merged / MergeBatch.page)
    let entry = MergeBatch.Entry(
      id: merge.id, keep: merge.survivor, absorb: merge.absorbed, keepState: survivor)
    let earlier = try page(of: MergeBatch.Entry.self, name, in: merge.scope)
    batch.merged += 1
    return [
      .saveCheckpoint(name, try JSONText.encode(earlier + [entry])),
      .saveCheckpoint(MergeBatch.checkpoint(id), try JSONText.encode(batch)),
    ] + (known == nil ? [try listing(id, in: merge.scope)] : [])
  }

  /// Returns the write that adds a batch to the list of batches.
  func listing(_ id: String, in scope: Scope) throws -> StoreWrite {
    let ids = try mergeBatchIDs(in: scope).suffix(MergeBatch.mostListed - 1) + [id]
    return .saveCheckpoint(MergeBatch.index, try JSONText.encode(Array(ids)))
  }

  func mergeBatchIDs(in scope: Scope) throws -> [String] {
    try checkpoint(MergeBatch.index, in: scope).map { try JSONText.decode([String].self, $0) } ?? []
  }
}

extension AuthError {
  static func noMergeBatch(_ id: String) -> AuthError {
    AuthError(
      .eventNotFound, "There is no batch of merges \"\(id)\".", field: "batch",
      remedy: "Look at the batches with merge.batches().", step: .decision)
  }
}
