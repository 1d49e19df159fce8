/// All changes of one update, which are committed together.
public struct AccountUpdate: Sendable, Hashable {
  /// The account's own fields.
  public var profile = ProfileChanges()
  /// Identities to add on the caller's word alone.
  public var links: [AssertedIdentity] = []
  /// Providers whose identities are removed; one without identities is ignored.
  public var unlinks: [ProviderID] = []
  /// The complete new list of second factors; nil leaves it.
  public var factors: [FactorEntry]?
  /// True to end all present sessions.
  public var endsSessions = false
  /// True to allow the removal of the last way to sign in.
  public var force = false

  /// Makes an update without changes.
  public init() {}

  /// The names of the changes beside the profile's fields, for the audit.
  var otherNames: [String] {
    var names: [String] = []
    if !links.isEmpty { names.append("links") }
    if !unlinks.isEmpty { names.append("unlinks") }
    if factors != nil { names.append("secondFactors") }
    if endsSessions { names.append("sessions") }
    return names
  }

  /// The action of the update, by the part of it that changes identities.
  var action: Action {
    if !unlinks.isEmpty { return .unlink }
    if !links.isEmpty { return .assert }
    if let factors { return factors.isEmpty ? .unenroll : .enroll }
    return .update
  }
}

/// An identity that a caller says belongs to an account.
public struct AssertedIdentity: Sendable, Hashable {
  /// The identity's key.
  public var key: IdentityKey
  /// The provider's data about the person, as the caller has it.
  public var profile: IdentityProfile

  /// Makes an assertion.
  public init(key: IdentityKey, profile: IdentityProfile = IdentityProfile()) {
    self.key = key
    self.profile = profile
  }
}

/// A second factor as an admin describes it.
public struct FactorEntry: Sendable, Hashable {
  /// The ID of a factor to keep, or of a new one; nil has one made.
  public var id: String?
  /// The number; nil for an authenticator app, which can only be kept, because its secret cannot be given.
  public var phoneNumber: PhoneNumber?
  /// The name that the account's owner sees.
  public var displayName: String?
  /// The time of the enrolment as RFC 3339 text; the time of the update if a new factor has none.
  public var enrolledAt: String?

  /// Makes an entry.
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

/// The result of an update.
public struct AccountUpdateResult: Sendable {
  /// The account as it is now.
  public let account: Account
  /// The receipt of the change.
  public let receipt: Receipt
  /// True if the earlier sessions are over.
  public let endedSessions: Bool
  /// The continued session, if one was requested; nil otherwise.
  ///
  /// A failure explains why the change was made and the session ended: `user-token-expired`, `user-disabled` or
  /// `second-factor-required`.
  public let session: Result<SessionGrant, AuthError>?

  /// The code with which the old address can revert a change of the address, to be sent there.
  public var recovery: ActionCode? { receipt.takeBacks.first }
}
