/// Everything that one update changes, to be committed together.
public struct AccountUpdate: Sendable, Hashable {
  /// The account's own fields.
  public var profile = ProfileChanges()
  /// Identities that belong to the account on the caller's word alone.
  public var links: [AssertedIdentity] = []
  /// Providers whose identities go; one of which there are none is passed over.
  public var unlinks: [ProviderID] = []
  /// The second factors as they shall be; nil leaves them.
  public var factors: [FactorEntry]?
  /// Ends every session that exists now.
  public var endsSessions = false
  /// Whether the last way in may go.
  public var force = false

  public init() {}

  /// The names of what changes beside the fields of the profile, for the audit.
  var otherNames: [String] {
    var names: [String] = []
    if !links.isEmpty { names.append("links") }
    if !unlinks.isEmpty { names.append("unlinks") }
    if factors != nil { names.append("secondFactors") }
    if endsSessions { names.append("sessions") }
    return names
  }

  /// What the update is called: by the part of it that says who owns what.
  var action: Action {
    if !unlinks.isEmpty { return .unlink }
    if !links.isEmpty { return .assert }
    if let factors { return factors.isEmpty ? .unenroll : .enroll }
    return .update
  }
}

/// An identity that somebody says belongs to an account.
public struct AssertedIdentity: Sendable, Hashable {
  public var key: IdentityKey
  public var profile: IdentityProfile

  public init(key: IdentityKey, profile: IdentityProfile = IdentityProfile()) {
    self.key = key
    self.profile = profile
  }
}

/// A second factor as an admin describes it.
public struct FactorEntry: Sendable, Hashable {
  /// The ID of a factor that stays, or the one that a new factor gets; nil has one made.
  public var id: String?
  /// Nil for an authenticator app, which can only stay: its secret is nobody's to give.
  public var phoneNumber: PhoneNumber?
  public var displayName: String?
  /// RFC 3339 text; the time of the update where a new factor has none.
  public var enrolledAt: String?

  public init(
    id: String? = nil, phoneNumber: PhoneNumber? = nil, displayName: String? = nil,
    enrolledAt: String? = nil
  ) {
    self.id = id
    self.phoneNumber = phoneNumber
    self.displayName = displayName
    self.enrolledAt = enrolledAt
  }
}

/// What an update brought about.
public struct AccountUpdateResult: Sendable {
  /// The account as it is now.
  public let account: Account
  public let receipt: Receipt
  /// Whether the sessions from before are over.
  public let endedSessions: Bool
  /// The session that goes on, if one was asked for; or why the change stands and it does not: `user-token-expired`,
  /// `user-disabled` or `second-factor-required`.
  public let session: Result<SessionGrant, AuthError>?

  /// A code with which the old address takes a change of it back, to be sent to it.
  public var recovery: IssuedActionCode? { receipt.takeBacks.first }
}
