/// Who asks for an operation, and with what right.
public struct Caller: Sendable, Hashable {
  public enum Authority: Sendable, Hashable, Codable {
    /// A person who may do everything, by name.
    case admin(String)
    /// The account's own session: when it signed in, whether a second factor was shown, and the identity that it began
    /// with; nil for an anonymous session or one of a custom token.
    case session(
      AccountID, signedInAt: Timestamp, secondFactor: Bool, identity: IdentityKey? = nil)
    /// Somebody who is not signed in yet.
    case anyone
  }

  public var scope: Scope
  public var authority: Authority
  /// The mark that the session shows, for a session.
  public var mark = ShownMark.untold
  /// The accounts that the request is about, as the caller read them.
  ///
  /// If one of them was merged, deleted or replaced since, every operation refuses.
  public var holds: [HeldAccount] = []
  /// The session's account as the request was made of it.
  ///
  /// If it is another one by now, the operation throws `too-much-contention` and leaves nothing behind, no event either.
  public var account: Account?
  /// Why, in the caller's words; kept in the audit.
  public var reason: String?
  /// Decide everything and write nothing.
  public var dryRun: Bool
  /// Where the request came from, for the functions of the app that are asked.
  public var client: ClientDescription

  public init(
    scope: Scope, authority: Authority, reason: String? = nil, dryRun: Bool = false,
    client: ClientDescription = ClientDescription()
  ) {
    self.client = client
    self.scope = scope
    self.authority = authority
    self.reason = reason
    self.dryRun = dryRun
  }

  /// The name that the audit keeps.
  public var actor: String {
    switch authority {
    case .admin(let name): "admin:\(name)"
    case .session(let account, _, _, _): "account:\(account)"
    case .anyone: "anyone"
    }
  }

  public var isAdmin: Bool {
    if case .admin = authority { true } else { false }
  }
}

/// What an operation is called in receipts and the audit.
public enum Action: String, Sendable, Hashable, Codable {
  case signIn = "sign-in"
  case signUp = "sign-up"
  case takeOver = "take-over"
  case create, update, disable, enable, delete
  case revokeSessions = "revoke-sessions"
  case link, assert, unlink, merge, mend
  case undoMerge = "undo-merge"
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
}

/// One thing that happened or was refused, committed together with its changes.
///
/// Holds no secret. Admins alone read it: it names every account involved.
public struct AuditEvent: Hashable, Sendable, Codable, Identifiable {
  public let id: String
  /// The order of commits; given by the store, 0 before.
  public var sequence: Int64
  public let scope: Scope
  public let at: Timestamp
  public let actor: String
  public let reason: String?
  public let action: Action
  /// The account it happened to.
  public let accountID: AccountID?
  /// The other accounts involved.
  public let relatedIDs: [AccountID]
  /// The code of the refusal, or nil where it was done.
  public let errorCode: String?
  public let details: JSONValue
  public let trace: Trace

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

/// What was committed.
public struct Receipt: Hashable, Sendable {
  /// The audit event's ID; for a merge also what undoes it.
  public let id: String
  public let action: Action
  public let accountID: AccountID
  /// True where everything was decided and nothing written.
  public let dryRun: Bool
  public let trace: Trace
  /// The mark of the sessions that begin afterwards, if this operation ended those of before.
  let nextSessions: SessionMark?
  /// Codes with which old addresses take a change back, each to be sent to its address.
  public let takeBacks: [IssuedActionCode]

  public init(id: String, action: Action, accountID: AccountID, dryRun: Bool, trace: Trace) {
    self.init(
      id: id, action: action, accountID: accountID, dryRun: dryRun, trace: trace,
      nextSessions: nil)
  }

  init(
    id: String, action: Action, accountID: AccountID, dryRun: Bool, trace: Trace,
    nextSessions: SessionMark?, takeBacks: [IssuedActionCode] = []
  ) {
    self.takeBacks = takeBacks
    self.nextSessions = nextSessions
    self.id = id
    self.action = action
    self.accountID = accountID
    self.dryRun = dryRun
    self.trace = trace
  }
}
