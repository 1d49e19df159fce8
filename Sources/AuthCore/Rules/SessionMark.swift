/// The mark of an account's sessions, which changes whenever they are ended; each session names the mark under which it
/// began.
///
/// It is derived from the account's ownership and the number of times its sessions were ended. Both change with the
/// account in one transaction, so no clock decides which sessions are over.
public struct SessionMark: Hashable, Sendable {
  /// The mark as a number.
  public let mark: Int64

  /// Makes a mark from a stored number.
  public init(mark: Int64) {
    self.mark = mark
  }
}

extension SessionMark: Codable {
  /// Reads the mark as a number.
  public init(from decoder: any Decoder) throws {
    self.init(mark: try decoder.singleValueContainer().decode(Int64.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(mark)
  }
}

extension Account {
  /// The mark of new sessions; nil for an account of a version without marks, until its sessions are ended.
  ///
  /// Before the first end it equals the ownership's mark, which sessions of earlier versions name.
  public var sessionMark: SessionMark? {
    guard let generation else { return ownership.map { SessionMark(mark: $0.mark) } }
    return SessionMark(mark: Ownership.mark(of: "\(ownership?.mark ?? 0) \(generation)"))
  }
}

/// The mark that a caller's session presents.
public enum ShownMark: Hashable, Sendable {
  /// No mark, as in Firebase's emulator, whose sessions are as their tokens claim.
  case untold
  /// The mark under which the session began; nil for a session of a version without marks.
  case of(SessionMark?)

  /// Tells whether the sessions of this mark were ended, or the account has another owner since.
  public func isOver(on account: Account) -> Bool {
    switch self {
    case .untold: false
    case .of(let mark): mark != account.sessionMark
    }
  }
}
