/// The name of an operation in receipts and the audit.
public enum Action: String, Sendable, Hashable, Codable, CaseIterable {
  case signIn = "sign-in"
  case signUp = "sign-up"
  case takeOver = "take-over"
  case create, update, disable, enable, delete, restore, purge
  case revokeSessions = "revoke-sessions"
  case link, assert, unlink, merge, mend
  case undoMerge = "undo-merge"
  case split, move
  case undoSplit = "undo-split"
  case undoMove = "undo-move"
  case importAccount = "import"
  case changeSettings = "change-settings"
  case configureProvider = "configure-provider"
  case forgetProvider = "forget-provider"
  case beginEnrollment = "begin-second-factor"
  case enroll = "enroll-second-factor"
  case unenroll = "unenroll-second-factor"
  case challenge = "challenge-second-factor"
  case renewSession = "renew-session"
  case useActionCode = "use-action-code"
  case createTenant = "create-tenant"
  case deleteTenant = "delete-tenant"
  case deleteAllAccounts = "delete-all-accounts"
  case rekey
  case rollBackRekey = "roll-back-rekey"
  case finishRekey = "finish-rekey"
  case createAdminToken = "create-admin-token"
  case revokeAdminToken = "revoke-admin-token"
  case rotateKeys = "rotate-keys"
  case sendMessage = "send-message"
  case consoleSession = "console-session"
  case providerEvent = "provider-event"
}

/// An operation that was performed or refused, committed together with its changes.
///
/// An event contains no secret. Only admins read it, because it names every account involved.
public struct AuditEvent: Hashable, Sendable, Codable, Identifiable {
  /// The event's unique ID.
  public let id: String
  /// The event's place in the order of commits, which the store assigns; 0 before.
  public var sequence: Int64
  /// The project or tenant of the operation.
  public let scope: Scope
  /// The time of the operation.
  public let at: Timestamp
  /// The caller's name, such as `admin:ada`.
  public let actor: String
  /// The caller's reason, if it gave one.
  public let reason: String?
  /// The operation.
  public let action: Action
  /// The account that the operation is about.
  public let accountID: AccountID?
  /// The other accounts involved.
  public let relatedIDs: [AccountID]
  /// The error code of a refusal; nil if the operation was performed.
  public let errorCode: String?
  /// Further data by operation, without secrets.
  public let details: JSONValue
  /// The rules that were applied, with their inputs and results.
  public let trace: Trace

  /// Makes an event with texts of any length.
  public init(
    id: String, sequence: Int64 = 0, scope: Scope, at: Timestamp, actor: String, reason: String?,
    action: Action, accountID: AccountID?, relatedIDs: [AccountID] = [],
    errorCode: String? = nil, details: JSONValue = .object([:]), trace: Trace = Trace()
  ) {
    self.id = id
    self.sequence = sequence
    self.scope = scope
    self.at = at
    self.actor = actor
    self.reason = reason
    self.action = action
    self.accountID = accountID
    self.relatedIDs = relatedIDs
    self.errorCode = errorCode
    self.details = details
    self.trace = trace
  }
}

/// The record of a committed operation.
public struct Receipt: Hashable, Sendable {
  /// The ID of the audit event; for a merge also the ID that undoes it.
  public let id: String
  /// The operation.
  public let action: Action
  /// The account that the operation is about.
  public let accountID: AccountID
  /// True if everything was decided and nothing written.
  public let dryRun: Bool
  /// True if the operation left the account as it was, so that nothing was written, not even an event.
  public let isUnchanged: Bool
  /// The rules that were applied, with their inputs and results.
  public let trace: Trace
  /// The values before and after, as the event has them.
  ///
  /// A dry run has those of created and absorbed accounts too, and the sessions that would end.
  public let changes: [ValueChange]
  /// The data that the account loses by a deletion or an unlink; nil for other operations.
  public let losses: Losses?
  /// The ways in that stay after a change of address or password, a recovery, an undo or an end of ways in, by account.
  public let waysIn: [WaysInOfAccount]
  /// The effect of the undo of a merge, side by side; nil for other operations.
  public let undo: UndoPreview?
  /// The mark of new sessions, if the operation ended the earlier ones.
  let nextSessions: SessionMark?
  /// The codes with which old addresses can revert the change, each to be sent to its address.
  public let takeBacks: [ActionCode]

  /// Makes a receipt.
  public init(id: String, action: Action, accountID: AccountID, dryRun: Bool, trace: Trace) {
    self.init(
      id: id, action: action, accountID: accountID, dryRun: dryRun, trace: trace,
      nextSessions: nil)
  }

  init(
    id: String, action: Action, accountID: AccountID, dryRun: Bool, trace: Trace,
    nextSessions: SessionMark?, takeBacks: [ActionCode] = [], changes: [ValueChange] = [],
    losses: Losses? = nil, waysIn: [WaysInOfAccount] = [], undo: UndoPreview? = nil,
    isUnchanged: Bool = false
  ) {
    self.waysIn = waysIn
    self.undo = undo
    self.changes = changes
    self.losses = losses
    self.isUnchanged = isUnchanged
    self.takeBacks = takeBacks
    self.nextSessions = nextSessions
    self.id = id
    self.action = action
    self.accountID = accountID
    self.dryRun = dryRun
    self.trace = trace
  }
}
