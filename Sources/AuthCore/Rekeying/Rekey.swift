/// A source of subjects: a provider, and an issuer if the provider has several.
public struct IdentitySource: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The provider's ID.
  public let provider: ProviderID
  /// The issuer, or an empty text if the provider has one alone.
  public let issuer: String

  /// Makes a source.
  public init(_ provider: ProviderID, issuer: String = "") {
    self.provider = provider
    self.issuer = issuer
  }

  /// Returns the key of a subject.
  public func key(_ subject: String) -> IdentityKey {
    IdentityKey(provider, issuer: issuer, subject: subject)
  }

  /// Tells whether a key is a subject of this source.
  public func contains(_ key: IdentityKey) -> Bool {
    key.provider == provider && key.issuer.isExactly(issuer)
  }

  /// The provider, and the issuer if there is one, separated by a slash.
  public var description: String {
    issuer.isEmpty ? "\(provider)" : "\(provider)/\(issuer)"
  }
}

/// A change of the keys by which a provider identifies people: new subjects, another issuer or another name.
///
/// Apple issues every subject anew when an app moves to another team, with a transition of sixty days
/// (developer.apple.com, "Transferring your apps and users to another team"). A rekey is planned, committed in batches,
/// and either finished or rolled back. Until then both keys belong to the account, and within the window both sign in.
public struct Rekey: Hashable, Sendable, Codable, Identifiable {
  /// The state of a rekey.
  public enum State: String, Hashable, Sendable, Codable {
    /// Batches may be committed; both keys belong to the account.
    case open
    /// The rollback has begun; some accounts are restored.
    case rollingBack = "rolling-back"
    /// All accounts are restored.
    case rolledBack = "rolled-back"
    /// The finish has begun; some old keys are removed.
    case finishing
    /// All old keys are removed.
    case finished
  }

  /// The unique ID, which is that of the plan's event.
  public let id: String
  /// The source of the old subjects.
  public let from: IdentitySource
  /// The source of the new subjects.
  public let to: IdentitySource
  /// True if every subject stays the same, as in a rename; otherwise a map has the new subjects.
  public let keepsSubjects: Bool
  /// The time in which the old keys still sign in, in seconds after the first batch.
  public let window: Int64
  /// The name of the admin.
  public let plannedBy: String
  /// The time of the first batch; nil before it.
  public internal(set) var begunAt: Timestamp?
  /// The state of the rekey.
  public internal(set) var state: State

  /// The time from which the old keys no longer sign in; nil before the first batch.
  public var until: Timestamp? { begunAt?.adding(seconds: window) }

  /// True if it is neither finished nor rolled back.
  public var isOpen: Bool { state != .finished && state != .rolledBack }

  /// The transition time of a transfer at Apple, in seconds.
  public static let usualWindow: Int64 = 60 * 86_400
  /// The longest window, in seconds.
  public static let longestWindow: Int64 = 10 * 366 * 86_400

  init(
    id: String, from: IdentitySource, to: IdentitySource, keepsSubjects: Bool, window: Int64,
    plannedBy: String
  ) {
    self.id = id
    self.from = from
    self.to = to
    self.keepsSubjects = keepsSubjects
    self.window = window
    self.plannedBy = plannedBy
    state = .open
  }

  /// The name under which its progress is stored.
  var checkpoint: String { "rekey:\(id)" }
}

/// The progress of a rekey's batches, committed with them so that an interrupted rekey can resume.
public struct RekeyProgress: Hashable, Sendable, Codable {
  /// The last account that was processed.
  public internal(set) var after: AccountID?
  /// True if every account was processed.
  public internal(set) var isComplete = false
  /// The total number of identities with their new key.
  public internal(set) var rekeyed = 0
  /// The number of identities without a new subject, in this pass.
  public internal(set) var unmapped = 0
  /// The number of identities whose new key is not free, in this pass.
  public internal(set) var conflicts = 0

  /// Makes the progress of a rekey that has not begun.
  public init() {}

  /// The progress to resume from: the same place, or the first account after a complete pass.
  public var resumed: RekeyProgress {
    guard isComplete else { return self }
    var next = RekeyProgress()
    next.rekeyed = rekeyed
    return next
  }
}

/// A page of accounts with identities to rekey.
public struct RekeyPage: Hashable, Sendable {
  /// The accounts with identities of the source, or with rekeyed ones.
  public let accounts: [AccountID]
  /// The old keys of the page, in the order of the accounts, for which a map is needed.
  public let keys: [IdentityKey]
  /// True if no page follows.
  public let isLast: Bool
}

/// The new key of each old one; an old key that is missing stays as it is.
public typealias RekeyMap = [IdentityKey: IdentityKey]
