import AuthCore

/// The rows of a small world, as one value that is cheap to save and restore.
struct WorldRows: Sendable {
  /// In order of uid.
  var accounts: [Account] = []
  var aliases: [AccountID: AccountID] = [:]
  /// Oldest first.
  var merges: [MergeRecord] = []
  var settings = ProjectSettings()
  var checkpoints: [String: String] = [:]
  var oneTimeRecords: [String: OneTimeRecord] = [:]
  var eventCount: Int64 = 0

  func account(_ id: AccountID) -> Account? {
    accounts.indices.first { accounts[$0].id == id }.map { accounts[$0] }
  }

  func account(owning key: IdentityKey) -> Account? {
    accounts.indices.first { accounts[$0].owns(key) }.map { accounts[$0] }
  }

  /// Adds an account, or throws `UniqueKeyConflict` and changes nothing.
  mutating func add(_ account: Account) throws {
    guard self.account(account.id) == nil else {
      throw UniqueKeyConflict(key: "uid \(account.id)")
    }
    for key in account.identities.lazy.flatMap(\.keys) where self.account(owning: key) != nil {
      throw UniqueKeyConflict(key: "identity \(key)")
    }
    try refuseSecondHolder(of: account)
    put(account)
  }

  private func refuseSecondHolder(of account: Account) throws {
    guard settings.oneAccountPerEmail, account.emailVerified, let email = account.email,
      accounts.contains(where: { $0.emailVerified && email.matches($0.email) })
    else { return }
    throw UniqueKeyConflict(key: "verified e-mail \(email.canonical)")
  }

  /// Adds an account, or replaces the one with its uid, without checks.
  mutating func put(_ account: Account) {
    if let place = accounts.firstIndex(where: { $0.id == account.id }) {
      accounts[place] = account
    } else {
      accounts.insert(account, at: accounts.firstIndex { account.id < $0.id } ?? accounts.count)
    }
  }
}
