import AuthCore
import AuthTesting
import PostgresStore
import Testing

/// What the tests do with stores.
extension PostgresStore {
  static let scope = Scope(project: "test")

  func add(_ uid: String, name: String? = nil) async throws {
    var account = Account(
      id: AccountID(uid), scope: Self.scope, createdAt: Timestamp(milliseconds: 0))
    account.displayName = name
    let new = account
    try await write { try $0.insert(new) }
  }

  func uids() async throws -> [String] {
    try await read { reader in
      try reader.accounts(matching: AccountFilter(), after: nil, limit: 10_000, in: Self.scope)
        .map(\.id.rawValue)
    }
  }

  /// Adds one to a number that is kept as a checkpoint.
  func count() async throws {
    try await write { writer in
      let count = try writer.checkpoint("count", in: Self.scope).flatMap { Int($0) } ?? 0
      try writer.saveCheckpoint("count", "\(count + 1)", in: Self.scope)
    }
  }

  func counted() async throws -> String? {
    try await read { try $0.checkpoint("count", in: Self.scope) }
  }
}

/// Throws unless opening a URL fails with a code, a message with some words, and a remedy.
@discardableResult
func expectRefusal(
  _ url: String, _ code: AuthError.Code, saying words: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> AuthError {
  let error = try #require(
    #expect(throws: AuthError.self, sourceLocation: sourceLocation) {
      _ = try PostgresStore(url: url)
    }, sourceLocation: sourceLocation)
  expectExplained(error, code, words, sourceLocation: sourceLocation)
  return error
}

func expectExplained(
  _ error: AuthError, _ code: AuthError.Code, _ words: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(error.code == code, sourceLocation: sourceLocation)
  #expect(error.message.contains(words), "\(error)", sourceLocation: sourceLocation)
  #expect(error.remedy?.isEmpty == false, sourceLocation: sourceLocation)
}
