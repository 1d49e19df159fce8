/// The mark of an account's present ownership: each owner whom an account or a uid has had got another one.
///
/// Whatever is kept for an account names the mark that it was made under, and is void under another one. The mark is made of
/// the ID of the event with which the ownership began. No clock decides, so servers whose clocks disagree and two acts
/// in one millisecond are told apart.
public struct Ownership: Hashable, Sendable {
  public let mark: Int64

  public init(mark: Int64) {
    self.mark = mark
  }

  /// The ownership that an event begins.
  init(begunBy eventID: String) {
    mark = Self.mark(of: eventID)
  }

  /// A text in eight bytes, by FNV-1a.
  static func mark(of text: String) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int64(hash >> 1)
  }
}

extension Ownership: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(mark: try decoder.singleValueContainer().decode(Int64.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(mark)
  }
}

extension Account {
  /// The account as one that has its first owner, or another one than before.
  ///
  /// Creation, a take-over and the revival of a deleted account come here, and nothing else moves the mark. No session of
  /// another ownership goes on, so their count begins again.
  func owned(since ownership: Ownership) -> Account {
    var account = self
    account.ownership = ownership
    account.generation = nil
    return account
  }

  /// Whether the app names the account itself, with custom tokens for its uid or for one that it absorbed.
  ///
  /// Such an account is never taken over: the app would go on letting its user in.
  var isNamedByApp: Bool { details.usedCustomToken }

  /// The account without an address that somebody else has proven, and without the ways in that hang on it.
  func yielding(_ email: EmailAddress) -> Account {
    var account = unlinking([.password(email), .emailLink(email)])
    if email.matches(account.email) {
      account.email = nil
      account.emailVerified = false
    }
    return account
  }
}

extension AccountReader {
  /// Ends what leads into an account, or is kept of it, under an ownership that is over.
  ///
  /// The uids that it absorbed are free again and no merge gives back what was before. If the account is deleted its sessions
  /// go as well, and what the journal keeps of it goes at once or after the time that the scope's settings allow.
  func endOfOwnership(
    of account: Account, isDeleted: Bool, at now: Timestamp, _ settings: ProjectSettings
  ) throws -> [StoreWrite] {
    let aliases = try namesLeading(to: account.id, in: account.scope)
    let end = settings.mergeRetentionDays > 0 ? now : nil
    let memory = now.adding(seconds: SessionRecord.memoryOfDeletion)
    var writes: [StoreWrite] = []
    for id in [account.id] + aliases {
      // A merge stands as long as its alias; without one no other merge is in this one's way.
      if !aliases.isEmpty { writes.append(.endMerges(of: id, at: end)) }
      if isDeleted { writes.append(.removeSessions(of: id, rememberedUntil: memory)) }
    }
    return writes + aliases.map { .setAlias($0, for: nil) }
  }

  /// The uids that stand for an account, also over several merges.
  private func namesLeading(to id: AccountID, in scope: Scope) throws -> [AccountID] {
    var names: [AccountID] = []
    var open = [id]
    while let next = open.popLast() {
      // A damaged file may hold a ring.
      let found = try aliases(of: next, in: scope).filter { $0 != id && !names.contains($0) }
      names += found
      open += found
    }
    return names
  }
}
