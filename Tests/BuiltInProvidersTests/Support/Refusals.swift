import AuthCore
import Testing

/// Expects an ``AuthError`` with one of these codes, or with any where none is named, and gives it.
@discardableResult
func refusal<Result>(
  _ codes: AuthError.Code..., sourceLocation: SourceLocation = #_sourceLocation,
  of body: () async throws -> Result
) async -> AuthError? {
  do {
    _ = try await body()
    Issue.record("nothing was refused", sourceLocation: sourceLocation)
  } catch let error as AuthError {
    #expect(codes.isEmpty || codes.contains(error.code), "\(error)", sourceLocation: sourceLocation)
    return error
  } catch {
    Issue.record("\(error) is no AuthError", sourceLocation: sourceLocation)
  }
  return nil
}

struct Missing: Error, CustomStringConvertible {
  let description: String
}

extension Optional {
  func unwrapped(_ what: String) throws -> Wrapped {
    guard let self else { throw Missing(description: "no \(what)") }
    return self
  }
}
