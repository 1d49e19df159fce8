/// One merge in the journal: both accounts as they were, and the survivor as it became.
///
/// Enough to restore every row exactly.
public struct MergeRecord: Hashable, Sendable, Codable, Identifiable {
  /// The ID of the merge's audit event.
  public private(set) var id: String
  public private(set) var scope: Scope
  public private(set) var at: Timestamp
  public private(set) var actor: String
  public private(set) var reason: String?
  public private(set) var survivorBefore: Account
  public private(set) var absorbedBefore: Account
  public private(set) var survivorAfter: Account
  /// The event that undid it, or nil while it stands.
  public var undoneBy: String?
  /// When it was undone, or the merged account was deleted or got another owner; nil while the merge stands.
  public var endedAt: Timestamp?

  public init(
    id: String, scope: Scope, at: Timestamp, actor: String, reason: String?,
    survivorBefore: Account, absorbedBefore: Account, survivorAfter: Account,
    undoneBy: String? = nil, endedAt: Timestamp? = nil
  ) {
    self.endedAt = endedAt
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

  public var survivor: AccountID { survivorBefore.id }
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
    Field("undoneBy", \.undoneBy),
    Field("endedAt", \.endedAt),
  ]
}
