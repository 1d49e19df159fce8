import AuthValues
import Foundation

/// The backend of a preview, which has no server: each request fails as without a connection.
///
/// The tokens of a preview do not expire, so a view that shows a user sends no request.
struct PreviewBackend: AuthBackend {
  /// The reason of a preview's failed requests.
  struct NoServer: LocalizedError {
    var errorDescription: String? { "A preview has no server." }
    var recoverySuggestion: String? {
      "Use an emulator, or AuthTestKit in a test, for what asks the server."
    }
  }

  func send(_ request: BackendRequest) async throws -> BackendResponse { throw NoServer() }

  /// Returns an ID token without a signature, which no server accepts.
  static func token(of user: PreviewUser) -> String {
    var claims: [String: JSONValue] = [
      "sub": .string(user.uid), "user_id": .string(user.uid), "iat": 0, "auth_time": 0,
      "exp": .integer(253_402_300_799),
      "firebase": ["sign_in_provider": .string(user.providers.first ?? "anonymous")],
    ]
    claims["email"] = user.email.map(JSONValue.string)
    claims["name"] = user.displayName.map(JSONValue.string)
    // The header says that there is no signature: {"alg":"none"}.
    return TokenParts.text(
      signedPart: TokenParts.signedPart(
        header: Array("eyJhbGciOiJub25lIn0".utf8),
        claims: Array(JSONValue.object(claims).text.utf8)))
  }
}
