/// An admin's settings for a scope, stored with the accounts so that all processes agree.
public struct ProjectSettings: Hashable, Sendable, Codable {
  /// The number of identities of one provider that an account may link.
  public enum Cardinality: String, Hashable, Sendable, Codable, CaseIterable {
    /// One identity, or any number.
    case one, many
  }

  /// True if an address belongs to at most one account.
  ///
  /// If it is off, identities bring no top-level e-mail.
  public var oneAccountPerEmail = true
  /// The providers whose word on a verified address counts.
  public var trust = TrustPolicy.production
  /// The number of identities of one provider that an account may link.
  ///
  /// An account has at most one password and any number of passkeys, whatever the setting.
  public var identitiesPerProvider = Cardinality.one
  /// The maximum age of a session for sensitive changes, in seconds.
  ///
  /// Firebase's clients expect five minutes.
  public var recentLoginSeconds: Int64 = 300
  /// True to allow unlinking the last way to sign in, as Firebase does over REST.
  public var allowsUnlinkingLastMethod = false
  /// The merge policy that answers conflicts; nil to make every conflict an error.
  public var mergePolicy: PolicySource?
  /// The level of the merge policy, `advise` or `decide`; nil for `decide`.
  public internal(set) var policyLevel: PolicyLevel?
  /// The policy on trial beside the one in use; nil if there is none.
  public internal(set) var policyTrial: PolicyTrial?
  /// The place of the merge policy in the history of its versions; nil without a history.
  public internal(set) var policyVersions: PolicyVersions?
  /// The parameters of imported password hashes as JSON, by the ID that the stored hashes name.
  public var passwordHashParameters: [String: String] = [:]
  /// The providers' settings by provider ID, with secrets sealed.
  public var providers: [String: ProviderConfiguration] = [:]
  /// The former subjects of providers that were removed or given to another issuer, by provider ID.
  public internal(set) var subjects: [String: ProviderSubjects] = [:]
  /// The members of Firebase's configuration without a setting of their own, as JSON; nil if there are none.
  public internal(set) var keptMembers: String?
  /// The number of 30-second steps before and after the present one whose TOTP codes are accepted.
  public var totpDriftSteps = 1
  /// The effect of a linked provider's data on the profile at a sign-in.
  public var profileOnSignIn = ProfileOnSignIn.fill
  /// A sealed probe, which does not open if the key differs from that of the stored secrets.
  public var keyProbe: String?
  /// The number of days for which the journal keeps an ended merge, so that an admin can revive a deleted person.
  ///
  /// A merge ends when it is undone, or its account is deleted or changes its owner. 0 removes it at once.
  public var mergeRetentionDays = 30
  /// The number of days in which an admin can restore an account that an admin deleted; 0 for none.
  public var deletionRetentionDays = 30
  /// The number of days for which the audit keeps an event; 0 for ever.
  ///
  /// An event that waits for a webhook stays until it is delivered.
  public var eventRetentionDays = 400
  /// The number of days for which a masked copy of each conflict that a merge policy decided is kept; 0 for none.
  public var decisionRetentionDays = 30
  /// The number of days after which an unused session ends; 0 for never, as in Firebase.
  public var sessionRetentionDays = 0
  /// The open ways to sign in, and their requirements.
  public var signIn = SignInSettings()
  /// The requirements for the consoles of admins.
  public var console = ConsoleSettings()
  /// The rekeys by ID, including ended ones.
  public internal(set) var rekeys: [String: Rekey] = [:]

  /// Makes the default settings.
  public init() {}

  /// Tells whether an account has at most one identity of a provider: always for passwords, never for passkeys.
  func allowsOne(of provider: ProviderID) -> Bool {
    switch provider {
    case .password: true
    case .passkey: false
    default: identitiesPerProvider == .one
    }
  }

  /// Returns the time by which journal entries must have ended to be removed.
  func endOfMerges(at now: Timestamp) -> Timestamp {
    now.adding(seconds: -Int64(mergeRetentionDays) * 86_400)
  }

  /// Returns the end of the time in which an account that was deleted at a time can be restored.
  func endOfDeletion(at time: Timestamp) -> Timestamp {
    time.adding(seconds: Int64(deletionRetentionDays) * 86_400)
  }

  /// The minimum retention of events; everything that an event can begin is over by then.
  public static let leastEventRetentionDays = 30

  /// Returns the time of the newest event to remove; nil if events stay for ever.
  func endOfEvents(at now: Timestamp) -> Timestamp? {
    guard eventRetentionDays > 0 else { return nil }
    let days = max(eventRetentionDays, Self.leastEventRetentionDays)
    return now.adding(seconds: -Int64(days) * 86_400)
  }

  /// Returns the time of the newest decision of a merge policy to remove.
  func endOfDecisions(at now: Timestamp) -> Timestamp {
    now.adding(seconds: -Int64(decisionRetentionDays) * 86_400)
  }

  /// Returns the time of last use of the newest session to remove; nil if sessions stay for ever.
  func endOfSessions(at now: Timestamp) -> Timestamp? {
    sessionRetentionDays > 0 ? now.adding(seconds: -Int64(sessionRetentionDays) * 86_400) : nil
  }
}

/// A merge policy in use: its full text, so that it cannot change unseen.
public struct PolicySource: Hashable, Sendable, Codable {
  /// The path that it was read from, for messages.
  public var name: String
  /// The text of the script.
  public var text: String

  /// Makes a source.
  public init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}
