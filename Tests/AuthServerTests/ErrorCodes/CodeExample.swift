import AuthCore
import Testing
import TestSupport

/// An operation that ends with an error code, for the article on the codes.
struct CodeExample: Sendable, CustomTestStringConvertible {
  let code: AuthError.Code
  private let provoke: @Sendable (CodeHome) async throws -> Void

  var testDescription: String { code.rawValue }

  init<Result>(
    _ code: AuthError.Code, _ provoke: @escaping @Sendable (CodeHome) async throws -> Result
  ) {
    self.code = code
    self.provoke = { _ = try await provoke($0) }
  }

  static let all =
    values + signIns + sessions + codes + secondFactors + vendors + scopes + merges
    + scripts + stores

  /// Returns the error that the operation ends with.
  func error() async throws -> AuthError {
    do {
      try await provoke(CodeHome())
    } catch let error as AuthError {
      return error
    }
    throw Failed(description: "\(code): nothing was refused")
  }
}
