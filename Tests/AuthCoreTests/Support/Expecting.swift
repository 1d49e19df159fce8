import AuthCore
import Testing

/// Expects an ``AuthError`` with this code and gives it.
@discardableResult
func expectError<Result>(
  _ code: AuthError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Result
) async -> AuthError? {
  do {
    _ = try await body()
    Issue.record("no error, but \(code) was expected", sourceLocation: sourceLocation)
  } catch let error as AuthError {
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    return error
  } catch {
    Issue.record("\(error) is no AuthError", sourceLocation: sourceLocation)
  }
  return nil
}
