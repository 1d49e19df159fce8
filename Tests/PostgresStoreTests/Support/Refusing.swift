import AuthCore
import AuthTesting
import PostgresStore
import Testing
import TestSupport

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
