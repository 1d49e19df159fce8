public import AuthCore

/// What the tests of stores do with them.
extension AccountStore {
  /// Where the accounts of these steps are.
  public static var scope: Scope { Scope(project: "test") }

  /// Adds an account that has nothing but a name.
  public func add(_ uid: String, name: String? = nil) async throws {
    var account = Account(
      id: AccountID(uid), scope: Self.scope, createdAt: Timestamp(milliseconds: 0))
    account.displayName = name
    let new = account
    try await write { try $0.insert(new) }
  }

  /// The uids of all accounts, in the store's order.
  public func uids() async throws -> [String] {
    try await read { reader in
      try reader.accounts(matching: AccountFilter(), after: nil, limit: 10_000, in: Self.scope)
        .map(\.id.rawValue)
    }
  }
}
