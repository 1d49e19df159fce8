/// Whose subjects are meant: those of a provider, and of an issuer where it has several.
public struct IdentitySource: Hashable, Sendable, Codable, CustomStringConvertible {
  public let provider: ProviderID
  public let issuer: String

  public init(_ provider: ProviderID, issuer: String = "") {
    self.provider = provider
    self.issuer = issuer
  }

  /// The key of one of its subjects.
  public func key(_ subject: String) -> IdentityKey {
    IdentityKey(provider, issuer: issuer, subject: subject)
  }

  /// Whether a key is one of its subjects.
  public func contains(_ key: IdentityKey) -> Bool {
    key.provider == provider && key.issuer.isExactly(issuer)
  }

  public var description: String {
    issuer.isEmpty ? "\(provider)" : "\(provider)/\(issuer)"
  }
}

/// A change of the keys by which a provider knows its people: new subjects, another issuer, another name.
///
/// Apple gives every subject anew when an app moves to another team (developer.apple.com, "Transferring your
/// apps and users to another team"), within sixty days. A rekey is planned, committed in batches, and ended by
/// finishing it or rolling it back. Until then both keys are the account's; inside the window both sign in.
public struct Rekey: Hashable, Sendable, Codable, Identifiable {
  /// How far a rekey has come.
  public enum State: String, Hashable, Sendable, Codable {
    /// Planned or being committed; both keys are the account's.
    case open
    case rollingBack = "rolling-back"
    case rolledBack = "rolled-back"
    case finishing
    case finished
  }

  public let id: String
  public let from: IdentitySource
  public let to: IdentitySource
  /// Whether every subject stays as it is, as in a rename; otherwise a map says which becomes which.
  public let keepsSubjects: Bool
  /// How long the old keys sign in, in seconds from the first batch on.
  public let window: Int64
  public let plannedBy: String
  /// When the first batch was committed; nil where nothing was written yet.
  public internal(set) var begunAt: Timestamp?
  public internal(set) var state: State

  /// From when on the old keys sign nobody in; nil where nothing was written yet.
  public var until: Timestamp? { begunAt?.adding(seconds: window) }

  /// Whether it was neither finished nor rolled back.
  public var isOpen: Bool { state != .finished && state != .rolledBack }

  /// The time that Apple gives for a transfer, in seconds.
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

  /// Under what its progress is kept.
  var checkpoint: String { "rekey:\(id)" }
}

/// How far the batches of a rekey have come; kept with them, so that an interrupted one goes on where it was.
public struct RekeyProgress: Hashable, Sendable, Codable {
  /// The last account that was looked at.
  public internal(set) var after: AccountID?
  /// Whether every account was looked at.
  public internal(set) var isComplete = false
  /// Identities that got their new key, in all.
  public internal(set) var rekeyed = 0
  /// Identities without a new subject, of this pass.
  public internal(set) var unmapped = 0
  /// Identities whose new key is not free, of this pass.
  public internal(set) var conflicts = 0

  public init() {}

  /// What to begin with: where it was, or at the first account again once it went through all of them.
  public var resumed: RekeyProgress {
    guard isComplete else { return self }
    var next = RekeyProgress()
    next.rekeyed = rekeyed
    return next
  }
}

/// A page of accounts that have identities to be rekeyed.
public struct RekeyPage: Hashable, Sendable {
  /// The accounts with identities of the source, or with some that were rekeyed already.
  public let accounts: [AccountID]
  /// The keys that a map has to be asked about, in the order of the accounts.
  public let keys: [IdentityKey]
  /// Whether there is no page behind it.
  public let isLast: Bool
}

/// Which new key stands for which old one; old keys that are not in it stay as they are.
public typealias RekeyMap = [IdentityKey: IdentityKey]
