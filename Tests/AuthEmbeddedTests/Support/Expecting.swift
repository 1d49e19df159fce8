import AuthClient
import Foundation
import Testing

/// Expects a piece of work to fail with a code, and gives the error for a further look.
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
  Issue.record("It went well, where \(code) was expected.", sourceLocation: sourceLocation)
  throw NothingFailed()
}

private struct NothingFailed: Error {}

extension NSError {
  /// What to sign in with instead.
  var updatedCredential: AuthCredential? {
    userInfo[AuthErrors.userInfoUpdatedCredentialKey] as? AuthCredential
  }

  var email: String? { userInfo[AuthErrors.userInfoEmailKey] as? String }

  /// What is beneath it; Foundation names it so on Apple's platforms alone.
  var underlying: NSError? { userInfo[NSUnderlyingErrorKey] as? NSError }

  var resolver: MultiFactorResolver? {
    userInfo[AuthErrors.userInfoMultiFactorResolverKey] as? MultiFactorResolver
  }
}
