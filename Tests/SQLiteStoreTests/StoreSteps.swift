import AuthCore
import Testing
import TestSupport

@testable import SQLiteStore

/// Throws unless opening a path fails with `store-unavailable`, a message that names it, and a remedy.
@discardableResult
func expectUnavailable(
  _ path: String, saying words: String, busyTimeout: Duration = .seconds(10),
  sourceLocation: SourceLocation = #_sourceLocation,
) throws -> AuthError {
  let error = try #require(
    #expect(throws: AuthError.self, sourceLocation: sourceLocation) {
      _ = try SQLiteStore(path: path, busyTimeout: busyTimeout)
    })
  expectUnavailable(error, path, saying: words, sourceLocation: sourceLocation)
  return error
}

/// Expects that an error names the path and some words, and has no foreign cause.
func expectUnavailable(
  _ error: AuthError, _ path: String, saying words: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  expectExplained(error, .storeUnavailable, path, words, sourceLocation: sourceLocation)
  let isOurs = error.cause == nil || error.cause is StoreFailure
  #expect(isOurs, sourceLocation: sourceLocation)
}
