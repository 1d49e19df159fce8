import AuthCore
import IdentityToolkit
import SessionTokens

/// Exchange of an ID token for a session cookie (`projects:createSessionCookie`).
extension ProjectHandler {
  private static let longest = TokenService.cookieLifetimes.upperBound

  func createSessionCookie() async throws -> Answer {
    guard try body.filled("idToken") != nil else { throw WireError("MISSING_ID_TOKEN") }
    let asked = try body.integer("validDuration") ?? 0
    let seconds = asked == 0 ? Self.longest : asked
    guard TokenService.cookieLifetimes.contains(seconds) else {
      throw WireError("INVALID_DURATION")
    }
    let signedIn = try await call.signedIn()
    let cookie = try await services.tokens.sessionCookie(for: signedIn.token, lifetime: seconds)
    return .json(["sessionCookie": .string(cookie.reveal())])
  }
}
