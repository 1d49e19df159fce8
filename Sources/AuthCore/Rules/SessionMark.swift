/// The mark that an account's sessions have: it moves whenever they are ended, and each session names the one that it began
/// under.
///
/// It is made of the account's ownership and of how often its sessions were ended since that began. Both change with the
/// account in one transaction, so no clock decides which sessions are over: not this machine's, and not one that disagrees
/// with it.
public struct SessionMark: Hashable, Sendable {
  public let mark: Int64

  public init(mark: Int64) {
    self.mark = mark
  }
}

extension SessionMark: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(mark: try decoder.singleValueContainer().decode(Int64.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(mark)
  }
}

extension Account {
  /// The mark of the sessions that begin now; nil for an account of a version that kept none, until its sessions are ended.
  ///
  /// Until then it is that of the ownership, which sessions of earlier versions name.
  public var sessionMark: SessionMark? {
    guard let generation else { return ownership.map { SessionMark(mark: $0.mark) } }
    return SessionMark(mark: Ownership.mark(of: "\(ownership?.mark ?? 0) \(generation)"))
  }
}

/// The mark that a caller's session shows.
public enum ShownMark: Hashable, Sendable {
  /// Nothing says it, as in Firebase's emulator, whose sessions are what their tokens claim.
  case untold
  /// The mark under which the session began; nil for one of a version that kept none.
  case of(SessionMark?)

  /// Whether the sessions of this mark were ended, or the account has had another owner since.
  public func isOver(on account: Account) -> Bool {
    switch self {
    case .untold: false
    case .of(let mark): mark != account.sessionMark
    }
  }
}
