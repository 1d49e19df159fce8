/// A deleted account that an admin can restore for a time.
///
/// It is a one-time record, so a store sweeps, copies and removes it like any other. Each uid that led to the account
/// has a record too, so that no new account gets it meanwhile. Identities, addresses and numbers are free: a person
/// who proves one may sign up with it.
public struct KeptDeletion: Hashable, Sendable, Codable {
  /// The ID of the deletion's audit event.
  public private(set) var event: String
  /// The time of the deletion.
  public private(set) var at: Timestamp
  /// The caller's name, such as `admin:ada`.
  public private(set) var actor: String
  /// The caller's reason, if it gave one.
  public internal(set) var reason: String?
  /// The account before the deletion.
  public package(set) var account: Account
  /// The uids that led to the account.
  public internal(set) var absorbed: [AccountID]
  /// The time from which the account cannot be restored.
  public private(set) var until: Timestamp

  /// Makes a deletion.
  public init(
    event: String, at: Timestamp, actor: String, reason: String?, account: Account,
    absorbed: [AccountID] = [], until: Timestamp
  ) {
    self.event = event
    self.at = at
    self.actor = actor
    self.reason = reason
    self.account = account
    self.absorbed = absorbed
    self.until = until
  }

  /// Tells whether the account cannot be restored any more; a shorter setting counts for earlier deletions too.
  public func isOver(at now: Timestamp, _ settings: ProjectSettings) -> Bool {
    until <= now || settings.endOfDeletion(at: at) <= now
  }
}

extension KeptDeletion: FieldRecord {
  package static var blank: KeptDeletion {
    let start = Timestamp(milliseconds: 0)
    return KeptDeletion(
      event: "", at: start, actor: "", reason: nil, account: .blank, until: start)
  }

  package static let fields: FieldList<KeptDeletion> = [
    Field("event", \.event),
    Field("at", \.at),
    Field("actor", \.actor),
    Field("reason", \.reason),
    Field("account", \.account),
    Field("absorbed", \.absorbed),
    Field("until", \.until),
  ]
}

/// The records of a deletion in a store.
extension KeptDeletion {
  private static let prefix = "deleted:"
  private static let pointer = "absorbed by:"

  /// Returns the ID of the record that keeps a uid.
  package static func recordID(_ uid: AccountID) -> String { prefix + uid.rawValue }

  /// The IDs of all records of the deletion.
  var recordIDs: [String] { ([account.id] + absorbed).map(Self.recordID) }

  /// The records to store: the account, and for each uid that led to it a pointer.
  package var records: [OneTimeRecord] {
    func record(_ uid: AccountID, _ content: String) -> OneTimeRecord {
      // The record belongs to no account, because the end of an account's sessions would remove it.
      OneTimeRecord(
        id: Self.recordID(uid), kind: .deletion, expiresAt: until, content: content)
    }
    return [record(account.id, json)]
      + absorbed.map { record($0, Self.pointer + account.id.rawValue) }
  }

  /// Reads a record; nil if it is of another kind or only points to a deletion.
  package init?(_ record: OneTimeRecord) throws {
    guard record.kind == .deletion, !record.content.hasPrefix(Self.pointer) else { return nil }
    self = try JSONText.decode(KeptDeletion.self, record.content)
  }

  /// Returns the uid to whose deletion a record points; nil if it does not.
  fileprivate static func target(of record: OneTimeRecord) -> AccountID? {
    guard record.kind == .deletion, record.content.hasPrefix(pointer) else { return nil }
    return AccountID(String(record.content.dropFirst(pointer.count)))
  }
}

extension AccountReader {
  /// Returns the deletion that keeps a uid, that of a deleted account or one that led to it; nil if there is none.
  ///
  /// It may be over, until the sweep removes it.
  package func deletion(keeping uid: AccountID, in scope: Scope) throws -> KeptDeletion? {
    guard let record = try oneTimeRecord(KeptDeletion.recordID(uid), in: scope) else { return nil }
    guard let target = KeptDeletion.target(of: record) else { return try KeptDeletion(record) }
    return try oneTimeRecord(KeptDeletion.recordID(target), in: scope)
      .flatMap { try KeptDeletion($0) }
  }

  /// Tells whether a scope has deletions, even ones that are over.
  func keepsDeletions(in scope: Scope) throws -> Bool {
    try !oneTimeRecords(.deletion, after: nil, limit: 1, in: scope).isEmpty
  }

  /// Returns the removals of a scope's deletions: all, or those that are over by the settings.
  func removals(
    ofDeletionsOverBy end: (now: Timestamp, settings: ProjectSettings)? = nil, in scope: Scope
  ) throws -> [StoreWrite] {
    var ids: [String] = []
    var after: String?
    repeat {
      let page = try oneTimeRecords(.deletion, after: after, limit: 100, in: scope)
      for record in page {
        guard let end else {
          ids.append(record.id)
          continue
        }
        if let deletion = try KeptDeletion(record), deletion.isOver(at: end.now, end.settings) {
          ids += [record.id]
          // A uid that became free may have another deletion by now.
          ids += try deletion.absorbed.map(KeptDeletion.recordID).filter { id in
            try oneTimeRecord(id, in: scope).flatMap(KeptDeletion.target) == deletion.account.id
          }
        }
      }
      after = page.count == 100 ? page.last?.id : nil
    } while after != nil
    return ids.map(StoreWrite.removeRecord)
  }
}

extension Snapshot {
  /// Returns the deletion that keeps a uid from new accounts; nil if the uid is free or an account has it.
  func keeper(of uid: AccountID, at now: Timestamp) -> KeptDeletion? {
    deletions[uid].flatMap { $0.isOver(at: now, settings) ? nil : $0 }
  }
}

extension AuthError {
  /// Returns the error for a uid that a deleted account keeps.
  static func uidKept(_ uid: AccountID, by deletion: KeptDeletion) -> AuthError {
    let owner = deletion.account.id
    return AuthError(
      .uidAlreadyExists,
      "The uid \(uid) belongs to an account that was deleted and can be restored.", field: "uid",
      remedy: "Restore it with accounts.restore \"\(owner)\", or free the uid with accounts.purge.",
      step: .decision)
  }
}
