import AuthClient
import Foundation
import Testing

/// Expects work to fail with a code, and returns the error.
@discardableResult
func expectError<Value>(
  _ code: AuthErrorCode, sourceLocation: SourceLocation = #_sourceLocation,
  _ work: () async throws -> Value
) async throws -> NSError {
  do {
    _ = try await work()
  } catch {
    let error = error as NSError
    #expect(
      AuthErrorCode(error) == code, "\(error.domain) \(error.code) \(error.userInfo)",
      sourceLocation: sourceLocation)
    return error
  }
  Issue.record("It went well, but \(code) was expected.", sourceLocation: sourceLocation)
  throw NothingFailed()
}

private struct NothingFailed: Error {}

extension NSError {
  /// The underlying error, under a key whose property Foundation has on Apple's platforms alone.
  var underlying: NSError? { userInfo[NSUnderlyingErrorKey] as? NSError }
}
