public import AuthCore

/// Steps that the tests of stores share.
extension AccountStore {
  /// The scope of the accounts in these steps.
  public static var scope: Scope { Scope(project: "test") }

  /// Adds an account that has only a name.
  public func add(_ uid: String, name: String? = nil) async throws {
    var account = Account(
      id: AccountID(uid), scope: Self.scope, createdAt: Timestamp(milliseconds: 0))
    account.displayName = name
    let new = account
    try await write { try $0.insert(new) }
  }

  /// Returns the uids of all accounts, in the store's order.
  public func uids() async throws -> [String] {
    try await read { reader in
      try reader.accounts(matching: AccountFilter(), after: nil, limit: 10_000, in: Self.scope)
        .map(\.id.rawValue)
    }
  }

  /// Increments a number that is kept as a checkpoint.
  public func count() async throws {
    try await write { writer in
      let count = try writer.checkpoint("count", in: Self.scope).flatMap { Int($0) } ?? 0
      try writer.saveCheckpoint("count", "\(count + 1)", in: Self.scope)
    }
  }

  /// Returns the number that ``count()`` increments; nil before the first time.
  public func counted() async throws -> String? {
    try await read { try $0.checkpoint("count", in: Self.scope) }
  }
}
