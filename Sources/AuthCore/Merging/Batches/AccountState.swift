/// The state of an account when a plan was made: its revision and its owner.
///
/// Its text, such as `r3` or `r3-o81985529`, is safe in spreadsheets, which would round a long number.
public struct AccountState: Hashable, Sendable, CustomStringConvertible {
  /// The number of writes.
  public let revision: Int64
  /// The mark of the owner; nil if the account has none.
  public let owner: Int64?

  init(revision: Int64, owner: Int64?) {
    self.revision = revision
    self.owner = owner
  }

  /// Makes the state of an account.
  public init(_ account: Account) {
    self.init(revision: account.revision, owner: account.ownership?.mark)
  }

  /// Reads a state; nil unless the text is one.
  public init?(_ text: String) {
    guard let match = text.wholeMatch(of: /r([0-9]{1,19})(?:-o(-?[0-9]{1,19}))?/),
      let revision = Int64(match.1)
    else { return nil }
    let owner = match.2.map { Int64($0) }
    // A mark beyond 64 bits is none.
    if let owner, owner == nil { return nil }
    self.init(revision: revision, owner: owner ?? nil)
  }

  /// The state as text.
  public var description: String { "r\(revision)" + (owner.map { "-o\($0)" } ?? "") }
}

extension AccountState: Codable {
  /// Reads the text of a state.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let state = AccountState(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no account state")
    }
    self = state
  }

  /// Writes the text of the state.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
