public import AuthCore
public import Testing

/// Expects an ``AuthError`` with one of these codes, or with any if none is named, and returns it.
@discardableResult
public func expectError<Result>(
  _ codes: AuthError.Code..., sourceLocation: SourceLocation = #_sourceLocation,
  of body: () async throws -> Result
) async -> AuthError? {
  do {
    _ = try await body()
    let expected = codes.isEmpty ? "one" : codes.map { "\($0)" }.joined(separator: " or ")
    Issue.record("no error, but \(expected) was expected", sourceLocation: sourceLocation)
  } catch let error as AuthError {
    #expect(codes.isEmpty || codes.contains(error.code), "\(error)", sourceLocation: sourceLocation)
    return error
  } catch {
    Issue.record("\(error) is no AuthError", sourceLocation: sourceLocation)
  }
  return nil
}

/// Expects an error with this code, all of these words in its message, and a remedy.
public func expectExplained(
  _ error: AuthError, _ code: AuthError.Code, _ words: String...,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(error.code == code, sourceLocation: sourceLocation)
  for part in words {
    #expect(error.message.contains(part), "\(error)", sourceLocation: sourceLocation)
  }
  #expect(error.remedy?.isEmpty == false, sourceLocation: sourceLocation)
}
