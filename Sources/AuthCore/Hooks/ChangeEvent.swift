/// A change of who owns what, as a script sees it before the commit.
public struct ChangeEvent: Sendable, Hashable {
  /// The kind of a change.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// An account gets an identity.
    case beforeLink
    /// An account loses an identity.
    case beforeUnlink
    /// An account absorbs another one.
    case beforeMerge
    /// A merge is undone.
    case beforeUndo
    /// The address of a sign-in by a new identity, or of a sign-up, belongs to another account.
    case onConflict

    /// The name of the script's function, which is also the rule in traces.
    public var function: String {
      switch self {
      case .beforeLink: "before_link"
      case .beforeUnlink: "before_unlink"
      case .beforeMerge: "before_merge"
      case .beforeUndo: "before_undo"
      case .onConflict: "on_conflict"
      }
    }
  }

  /// The kind of the caller.
  public enum CallerKind: String, Sendable, Hashable, CaseIterable {
    /// A session of the account.
    case person
    /// An admin, at a console or over HTTP.
    case admin
    /// A client without a session, as at a sign-in.
    case anyone
  }

  /// An identity with the provider's statements about it.
  public struct Subject: Sendable, Hashable {
    /// The identity.
    public let identity: Identity
    /// The provider's claims of the present credential; null if there is none.
    public let claims: JSONValue

    /// Names an identity.
    public init(_ identity: Identity, claims: JSONValue = .null) {
      (self.identity, self.claims) = (identity, claims)
    }
  }

  /// The session that makes the change.
  public struct Session: Sendable, Hashable {
    /// The time of its sign-in.
    public let signedInAt: Timestamp
    /// True if it has shown a second factor.
    public let secondFactor: Bool
    /// The provider of the identity that began it, if one did.
    public let provider: ProviderID?

    /// Describes a session.
    public init(signedInAt: Timestamp, secondFactor: Bool, provider: ProviderID?) {
      self.signedInAt = signedInAt
      self.secondFactor = secondFactor
      self.provider = provider
    }
  }

  /// The kind of the change.
  public let kind: Kind
  /// The project or tenant.
  public let scope: Scope
  /// The account before the change: the one that gets or loses the identity, the survivor of a merge, or the account
  /// with the address.
  public let account: Account
  /// The account that a merge absorbs, or that an undo restores; nil for other changes.
  public var other: Account?
  /// The identity that is linked, unlinked, or in conflict; nil for a merge without one.
  public var subject: Subject?
  /// True if the provider's word on the address counts; of a conflict alone.
  public var isProven = false
  /// The kind of the caller.
  public var caller = CallerKind.anyone
  /// The caller's session, if there is one.
  public var session: Session?
  /// The caller's reason.
  public var reason: String?
  /// The origin of the request.
  public var client = ClientDescription()
  /// The time of the decision.
  public let now: Timestamp

  /// Makes an event; the properties without a parameter are set afterwards.
  public init(_ kind: Kind, of account: Account, in scope: Scope, at now: Timestamp) {
    self.kind = kind
    self.account = account
    self.scope = scope
    self.now = now
  }
}

extension ChangeEvent {
  /// Makes the event of a decision.
  init(_ kind: Kind, of account: Account, on context: OperationContext) {
    let caller = context.caller
    self.init(kind, of: account, in: caller.scope, at: context.now)
    reason = caller.reason
    client = caller.client
    switch caller.authority {
    case .admin: self.caller = .admin
    case .anyone: self.caller = .anyone
    case .session(_, let signedInAt, let secondFactor, let identity):
      self.caller = .person
      session = Session(
        signedInAt: signedInAt, secondFactor: secondFactor, provider: identity?.provider)
    }
  }
}
