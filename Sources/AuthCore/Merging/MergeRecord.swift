/// One merge in the journal: both accounts as they were, and the survivor as it became.
///
/// Enough to restore every row exactly.
public struct MergeRecord: Hashable, Sendable, Codable, Identifiable {
  /// The ID of the merge's audit event.
  public let id: String
  public let scope: Scope
  public let at: Timestamp
  public let actor: String
  public let reason: String?
  public let survivorBefore: Account
  public let absorbedBefore: Account
  public let survivorAfter: Account
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

extension MergeRecord: JSONRecord {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("absorbedBefore", absorbedBefore)
    writer.member("actor", actor)
    writer.member("at", at.milliseconds)
    writer.member("endedAt", endedAt?.milliseconds)
    writer.member("id", id)
    writer.member("reason", reason)
    writer.member("scope", scope)
    writer.member("survivorAfter", survivorAfter)
    writer.member("survivorBefore", survivorBefore)
    writer.member("undoneBy", undoneBy)
  }
}
