/// The decisions of an admin for a scope; stored with the accounts, so that every process agrees.
public struct ProjectSettings: Hashable, Sendable, Codable {
  /// The number of identities of one provider that an account may link.
  public enum Cardinality: String, Hashable, Sendable, Codable, CaseIterable {
    case one, many
  }

  /// True if an address belongs to at most one account.
  ///
  /// Off means that identities bring no top-level e-mail.
  public var oneAccountPerEmail = true
  public var trust = TrustPolicy.production
  ///
  /// Of passwords an account has one, of passkeys any number.
  public var identitiesPerProvider = Cardinality.one
  /// The age that a session may have for sensitive changes, in seconds.
  ///
  /// Firebase's clients expect five minutes.
  public var recentLoginSeconds: Int64 = 300
  /// Unlinking the last way in is Firebase's behaviour over REST, and refused where this is off.
  public var allowsUnlinkingLastMethod = false
  /// The merge policy that answers conflicts, or nil where conflicts are errors.
  public var mergePolicy: PolicySource?
  /// The parameters of imported password hashes, by the ID that the stored hashes name, as JSON.
  public var passwordHashParameters: [String: String] = [:]
  /// The providers' settings by their IDs; secrets are sealed.
  public var providers: [String: ProviderConfiguration] = [:]
  /// What the subjects of providers meant that were forgotten, or whose names another issuer got, by their IDs.
  public internal(set) var subjects: [String: ProviderSubjects] = [:]
  /// The number of time steps of 30 seconds before and after the present one that a TOTP code may be of.
  public var totpDriftSteps = 1
  /// What becomes of a profile when a linked provider tells about the person again.
  public var profileOnSignIn = ProfileOnSignIn.fill
  /// Something sealed, by which it is noticed that the key is another one than that of the stored secrets.
  public var keyProbe: String?
  /// For how many days the journal of merges keeps an entry that ended, so that an admin can revive a deleted person.
  ///
  /// An entry ends when the merge is undone, or its account is deleted or gets another owner. 0 removes it at once.
  public var mergeRetentionDays = 30
  /// For how many days the audit keeps an event; 0 for ever.
  ///
  /// An event that waits for a web service stays until it was delivered.
  public var eventRetentionDays = 400
  /// For how many days a session may go unused before it ends; 0 for ever, as Firebase's sessions do.
  public var sessionRetentionDays = 0
  public var signIn = SignInSettings()
  /// The rekeys that were begun, by their IDs; also those that are over.
  public internal(set) var rekeys: [String: Rekey] = [:]

  public init() {}

  /// Whether an account has at most one identity of a provider: always of passwords, and never of passkeys.
  func allowsOne(of provider: ProviderID) -> Bool {
    switch provider {
    case .password: true
    case .passkey: false
    default: identitiesPerProvider == .one
    }
  }

  /// The moment whose journal entries go: those that ended then or before.
  func endOfMerges(at now: Timestamp) -> Timestamp {
    now.adding(seconds: -Int64(mergeRetentionDays) * 86_400)
  }

  /// The shortest time that events are kept: whatever was begun with one is over by then.
  public static let leastEventRetentionDays = 30

  /// The moment whose events go: those of then or before; nil if they stay for ever.
  func endOfEvents(at now: Timestamp) -> Timestamp? {
    guard eventRetentionDays > 0 else { return nil }
    let days = max(eventRetentionDays, Self.leastEventRetentionDays)
    return now.adding(seconds: -Int64(days) * 86_400)
  }

  /// The moment whose sessions go: those that were used last then or before; nil if they stay for ever.
  func endOfSessions(at now: Timestamp) -> Timestamp? {
    sessionRetentionDays > 0 ? now.adding(seconds: -Int64(sessionRetentionDays) * 86_400) : nil
  }
}

/// A merge policy as an admin put it to use: the text itself, so that it cannot change unseen.
public struct PolicySource: Hashable, Sendable, Codable {
  /// The place that it was read from; a name for messages.
  public var name: String
  public var text: String

  public init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}
