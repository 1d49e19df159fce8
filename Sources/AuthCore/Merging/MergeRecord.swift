/// A merge in the journal: both accounts before, and the survivor after it.
///
/// It is sufficient to restore every row exactly.
public struct MergeRecord: Hashable, Sendable, Codable, Identifiable {
  /// The ID of the merge's audit event.
  public private(set) var id: String
  /// The project or tenant of the accounts.
  public private(set) var scope: Scope
  /// The time of the merge.
  public private(set) var at: Timestamp
  /// The caller's name, such as `admin:ada`.
  public private(set) var actor: String
  /// The caller's reason, if it gave one.
  public internal(set) var reason: String?
  /// The survivor before the merge.
  public private(set) var survivorBefore: Account
  /// The absorbed account before the merge.
  public private(set) var absorbedBefore: Account
  /// The survivor after the merge.
  public private(set) var survivorAfter: Account
  /// The ID of the batch that made it; nil if it was made alone.
  public package(set) var batch: String?
  /// The ID of the event that undid it; nil if none did.
  public var undoneBy: String?
  /// The time it was undone, or the merged account was deleted or changed its owner; nil while the merge stands.
  public var endedAt: Timestamp?

  /// Makes a record.
  public init(
    id: String, scope: Scope, at: Timestamp, actor: String, reason: String?,
    survivorBefore: Account, absorbedBefore: Account, survivorAfter: Account,
    batch: String? = nil, undoneBy: String? = nil, endedAt: Timestamp? = nil
  ) {
    self.endedAt = endedAt
    self.batch = batch
    self.id = id
    self.scope = scope
    self.at = at
    self.actor = actor
    self.reason = reason
    self.survivorBefore = survivorBefore
    self.absorbedBefore = absorbedBefore
    self.survivorAfter = survivorAfter
    self.undoneBy = undoneBy
  }

  /// The uid of the survivor.
  public var survivor: AccountID { survivorBefore.id }
  /// The uid of the absorbed account.
  public var absorbed: AccountID { absorbedBefore.id }
}

extension MergeRecord: FieldRecord {
  package static var blank: MergeRecord {
    MergeRecord(
      id: "", scope: Account.blank.scope, at: Timestamp(milliseconds: 0), actor: "", reason: nil,
      survivorBefore: .blank, absorbedBefore: .blank, survivorAfter: .blank)
  }

  package static let fields: FieldList<MergeRecord> = [
    Field("id", \.id),
    Field("scope", \.scope),
    Field("at", \.at),
    Field("actor", \.actor),
    Field("reason", \.reason),
    Field("survivorBefore", \.survivorBefore),
    Field("absorbedBefore", \.absorbedBefore),
    Field("survivorAfter", \.survivorAfter),
    Field("batch", \.batch),
    Field("undoneBy", \.undoneBy),
    Field("endedAt", \.endedAt),
  ]
}
