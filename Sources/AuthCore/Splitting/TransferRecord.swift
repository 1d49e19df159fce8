/// A split or a move in the journal: both accounts before and after it.
///
/// It is sufficient to restore every row exactly. Like a kept deletion it is a one-time record, so a store copies and
/// removes it like any other; each account has a list of its own, with which the end of its ownership removes them.
public struct TransferRecord: Hashable, Sendable, Codable, Identifiable {
  /// The ID of the change's audit event.
  public private(set) var id: String
  /// A split or a move.
  public private(set) var action: Action
  /// The project or tenant of the accounts.
  public private(set) var scope: Scope
  /// The time of the change.
  public private(set) var at: Timestamp
  /// The caller's name, such as `admin:ada`.
  public private(set) var actor: String
  /// The caller's reason, if it gave one.
  public internal(set) var reason: String?
  /// The account that lost the identities, before.
  public private(set) var sourceBefore: Account
  /// The account that lost the identities, after.
  public private(set) var sourceAfter: Account
  /// The account that got them, before; nil if the change made it.
  public private(set) var targetBefore: Account?
  /// The account that got them, after.
  public private(set) var targetAfter: Account
  /// The ID of the event that undid it; nil if none did.
  public var undoneBy: String?

  /// Makes a record.
  public init(
    id: String, action: Action, scope: Scope, at: Timestamp, actor: String, reason: String?,
    sourceBefore: Account, sourceAfter: Account, targetBefore: Account?, targetAfter: Account,
    undoneBy: String? = nil
  ) {
    self.id = id
    self.action = action
    self.scope = scope
    self.at = at
    self.actor = actor
    self.reason = reason
    self.sourceBefore = sourceBefore
    self.sourceAfter = sourceAfter
    self.targetBefore = targetBefore
    self.targetAfter = targetAfter
    self.undoneBy = undoneBy
  }

  /// The uid of the account that lost the identities.
  public var source: AccountID { sourceBefore.id }
  /// The uid of the account that got them.
  public var target: AccountID { targetAfter.id }

  /// Replaces the state after the change of the account with this uid.
  mutating func replaceAfter(_ account: Account) {
    if account.id == source { sourceAfter = account }
    if account.id == target { targetAfter = account }
  }
}

extension TransferRecord: FieldRecord {
  package static var blank: TransferRecord {
    TransferRecord(
      id: "", action: .move, scope: Account.blank.scope, at: Timestamp(milliseconds: 0), actor: "",
      reason: nil, sourceBefore: .blank, sourceAfter: .blank, targetBefore: nil,
      targetAfter: .blank)
  }

  package static let fields: FieldList<TransferRecord> = [
    Field("id", \.id),
    Field("action", \.action),
    Field("scope", \.scope),
    Field("at", \.at),
    Field("actor", \.actor),
    Field("reason", \.reason),
    Field("sourceBefore", \.sourceBefore),
    Field("sourceAfter", \.sourceAfter),
    Field("targetBefore", \.targetBefore),
    Field("targetAfter", \.targetAfter),
    Field("undoneBy", \.undoneBy),
  ]
}

extension Action: FieldValue {}

/// The records of splits and moves in a store.
extension TransferRecord {
  private static let prefix = "transfer:"
  private static let listPrefix = "transfers of:"
  /// The seconds for which a split or a move can be undone at most.
  private static let lifetime: Int64 = 10 * 365 * 86_400

  /// Returns the ID of the record of an event.
  static func recordID(_ event: String) -> String { prefix + event }

  private static func listID(_ account: AccountID) -> String { listPrefix + account.rawValue }

  private func record(until end: Timestamp) -> OneTimeRecord {
    // It belongs to no account, because the end of an account's sessions would remove it.
    OneTimeRecord(id: Self.recordID(id), kind: .transfer, expiresAt: end, content: json)
  }

  /// Reads a record; nil if it is of another kind or a list of an account.
  package init?(_ record: OneTimeRecord) throws {
    guard record.kind == .transfer, record.id.hasPrefix(Self.prefix) else { return nil }
    self = try JSONText.decode(TransferRecord.self, record.content)
  }

  /// Returns the record with each of its accounts changed.
  func mapAccounts(_ change: (Account) throws -> Account) rethrows -> TransferRecord {
    var record = self
    record.sourceBefore = try change(sourceBefore)
    record.sourceAfter = try change(sourceAfter)
    record.targetBefore = try targetBefore.map(change)
    record.targetAfter = try change(targetAfter)
    return record
  }

  /// Returns the writes that store the record; an undone one until its retention ends.
  func writes(
    on reader: any AccountReader, at now: Timestamp, _ settings: ProjectSettings
  ) throws -> [StoreWrite] {
    guard undoneBy == nil else {
      let end = now.adding(seconds: Int64(settings.mergeRetentionDays) * 86_400)
      return [.saveRecord(record(until: end))]
    }
    let end = now.adding(seconds: Self.lifetime)
    return try [.saveRecord(record(until: end))]
      + [source, target].map { account in
        let known = try Self.list(of: account, reader, in: scope)
        // The list keeps the newest; an older one can still be undone, and ends with its lifetime.
        let events = (known + [id]).suffix(Self.mostListed)
        return .saveRecord(
          OneTimeRecord(
            id: Self.listID(account), kind: .transfer, expiresAt: end,
            content: events.joined(separator: " ")))
      }
  }

  private static let mostListed = 1000

  private static func list(
    of account: AccountID, _ reader: any AccountReader, in scope: Scope
  ) throws -> [String] {
    try reader.oneTimeRecord(listID(account), in: scope)?.content.split(separator: " ")
      .map(String.init) ?? []
  }

  /// Returns the removals of everything that the journal keeps of an account.
  static func removals(
    of account: AccountID, _ reader: any AccountReader, in scope: Scope
  ) throws -> [StoreWrite] {
    let events = try list(of: account, reader, in: scope)
    guard !events.isEmpty else { return [] }
    return ([listID(account)] + events.map(recordID)).map(StoreWrite.removeRecord)
  }

  /// Returns the removals of a scope's whole journal of splits and moves.
  static func removals(_ reader: any AccountReader, in scope: Scope) throws -> [StoreWrite] {
    var ids: [String] = []
    var after: String?
    repeat {
      let page = try reader.oneTimeRecords(.transfer, after: after, limit: 100, in: scope)
      ids += page.map(\.id)
      after = page.count == 100 ? page.last?.id : nil
    } while after != nil
    return ids.map(StoreWrite.removeRecord)
  }
}

extension AccountReader {
  /// Returns the split or the move with this ID; nil if the journal does not have it.
  package func transfer(_ id: String, in scope: Scope) throws -> TransferRecord? {
    try oneTimeRecord(TransferRecord.recordID(id), in: scope).flatMap { try TransferRecord($0) }
  }
}
