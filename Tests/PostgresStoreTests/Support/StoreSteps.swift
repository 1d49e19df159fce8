import AuthCore
import AuthTesting
import PostgresStore
import Testing
import TestSupport

/// The tests' steps with stores.
extension PostgresStore {
  /// Increments a number that is kept as a checkpoint.
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
