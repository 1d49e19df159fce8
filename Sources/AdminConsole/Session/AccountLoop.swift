import AuthCore

/// Visits accounts in order of uid, page by page, in their current state.
///
/// Accounts that the session creates during the loop are omitted. The rest of a page is read again after each write, so
/// accounts that are gone or match no longer are omitted too.
final class AccountLoop {
  private let session: ConsoleSession
  private let filter: AccountFilter
  private var remaining: Int?
  private var page: ArraySlice<Account> = []
  private var reading = ConsoleSession.Reading.outdated
  /// The account after which the next page begins.
  private var last: AccountID?
  private var isAtEnd = false
  private var leftOut: Set<AccountID> = []
  /// The number of accounts that are read at a time: few if the loop writes to each of them.
  private var size = 200
  private var handedOut = 0
  private static let largest = 200

  init(session: ConsoleSession, filter: AccountFilter, limit: Int?) {
    self.session = session
    self.filter = filter
    remaining = limit
    session.follow(self)
  }

  /// Returns the next account and when it was read; nil at the end.
  func next() throws -> (account: Account, reading: ConsoleSession.Reading)? {
    if remaining == 0 { return nil }
    while let account = try nextOfPage() {
      last = account.id
      handedOut += 1
      guard leftOut.remove(account.id) == nil else { continue }
      remaining = remaining.map { $0 - 1 }
      return (account, reading)
    }
    return nil
  }

  /// Omits an account that was created since the loop began.
  func leaveOut(_ id: AccountID) {
    if let last, id <= last { return }
    leftOut.insert(id)
  }

  private func nextOfPage() throws -> Account? {
    let isCurrent = reading == session.reading
    if isCurrent && !page.isEmpty { return page.popFirst() }
    if page.isEmpty {
      // After a write, the end is read again: the write may have restored an absorbed account.
      guard !isAtEnd || !isCurrent else { return nil }
      size = min(Self.largest, size * 4)
    } else {
      size = max(1, handedOut)
    }
    try turn()
    return page.popFirst()
  }

  private func turn() throws {
    let (filter, last, size) = (filter, last, size)
    reading = session.reading
    let accounts = try session.wait {
      try await $0.accounts(matching: filter, after: last, limit: size, in: $1)
    }
    isAtEnd = accounts.count < size
    handedOut = 0
    page = accounts[...]
  }
}
