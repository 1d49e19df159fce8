/// The mark of an account's present owner; each new owner of an account or a uid gets another one.
///
/// Data that is stored for an account names the mark under which it was made, and is void under another one. The mark
/// is derived from the ID of the event that began the ownership. No clock is involved, so servers with different
/// clocks, and two events in one millisecond, stay distinct.
public struct Ownership: Hashable, Sendable {
  /// The mark as a number.
  public let mark: Int64

  /// Makes an ownership from a stored mark.
  public init(mark: Int64) {
    self.mark = mark
  }

  /// Makes the ownership that an event begins.
  init(begunBy eventID: String) {
    mark = Self.mark(of: eventID)
  }

  /// Returns a 63-bit hash of a text, by FNV-1a.
  static func mark(of text: String) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int64(hash >> 1)
  }
}

extension Ownership: Codable {
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
  /// Returns the account with a new owner.
  ///
  /// Only creation, a take-over and the revival of a deleted account set the mark. No session of another ownership
  /// continues, so the count of ended sessions starts again.
  func owned(since ownership: Ownership) -> Account {
    var account = self
    account.ownership = ownership
    account.generation = nil
    return account
  }

  /// True if the app names the account with custom tokens, for its uid or for one that it absorbed.
  ///
  /// Such an account is never taken over, because the app would still sign its user in.
  var isNamedByApp: Bool { details.usedCustomToken }

  /// Returns the account without an address that another account has proven, and without its identities.
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
  /// Returns the writes that end whatever leads to an account, or is stored for it, under an ended ownership.
  ///
  /// The uids that it absorbed become free, and no merge can be undone any more. If the account is deleted, its
  /// sessions are removed too. Its journal entries are removed at once, or after the retention that the scope's
  /// settings allow.
  func endOfOwnership(
    of account: Account, isDeleted: Bool, at now: Timestamp, _ settings: ProjectSettings
  ) throws -> [StoreWrite] {
    let aliases = try namesLeading(to: account.id, in: account.scope)
    let end = settings.mergeRetentionDays > 0 ? now : nil
    let memory = now.adding(seconds: SessionRecord.memoryOfDeletion)
    var writes: [StoreWrite] = []
    for id in [account.id] + aliases {
      // A merge stands as long as its alias; without an alias, no other merge depends on it.
      if !aliases.isEmpty { writes.append(.endMerges(of: id, at: end)) }
      if isDeleted { writes.append(.removeSessions(of: id, rememberedUntil: memory)) }
    }
    writes += try TransferRecord.removals(of: account.id, self, in: account.scope)
    return writes + aliases.map { .setAlias($0, for: nil) }
  }

  /// Returns the uids that lead to an account, also over several merges.
  func namesLeading(to id: AccountID, in scope: Scope) throws -> [AccountID] {
    var names: [AccountID] = []
    var open = [id]
    while let next = open.popLast() {
      // A damaged file may contain a cycle.
      let found = try aliases(of: next, in: scope).filter { $0 != id && !names.contains($0) }
      names += found
      open += found
    }
    return names
  }
}
