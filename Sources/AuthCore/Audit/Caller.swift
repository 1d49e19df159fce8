/// The caller of an operation, with its authority.
public struct Caller: Sendable, Hashable {
  /// The authority of a caller.
  public enum Authority: Sendable, Hashable, Codable {
    /// An admin, who may do everything, by name.
    case admin(String)
    /// The account's own session, with the time of its sign-in and whether a second factor was shown.
    ///
    /// The identity is the one that began the session; nil for an anonymous session or one of a custom token.
    case session(
      AccountID, signedInAt: Timestamp, secondFactor: Bool, identity: IdentityKey? = nil)
    /// A client that is not signed in.
    case anyone
  }

  /// The project or tenant in which the operation runs.
  public var scope: Scope
  /// The authority of the caller.
  public var authority: Authority
  /// The mark that a session presents.
  public var mark = ShownMark.untold
  /// The accounts that the request is about, as the caller read them.
  ///
  /// If one of them was merged, deleted or replaced since, every operation is refused.
  public var holds: [HeldAccount] = []
  /// The session's account as the request read it.
  ///
  /// If it changed since, the operation throws `too-much-contention` and leaves nothing behind, not even an event.
  package var account: Account?
  /// The caller's reason, kept in the audit.
  public var reason: String?
  /// True to decide everything and write nothing.
  public var dryRun: Bool
  /// True if the operation is appended to a rehearsal; see ``Rehearsal``.
  public var isRehearsed = false
  /// The origin of the request, for the app's functions.
  public var client: ClientDescription
  /// The provider whose vendor reports an event; nil for every other caller.
  var vendor: ProviderID?

  /// Makes a caller.
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

  /// The name that the audit records.
  public var actor: String {
    if let vendor { return "provider:\(vendor)" }
    return switch authority {
    case .admin(let name): "admin:\(name)"
    case .session(let account, _, _, _): "account:\(account)"
    case .anyone: "anyone"
    }
  }

  /// The account of the caller's session; nil if there is none.
  var sessionAccount: AccountID? {
    if case .session(let account, _, _, _) = authority { account } else { nil }
  }

  /// True if an admin calls.
  public var isAdmin: Bool {
    if case .admin = authority { true } else { false }
  }
}
