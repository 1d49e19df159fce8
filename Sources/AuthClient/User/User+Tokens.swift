import AuthValues
import Foundation
import IdentityToolkit

extension User {
  /// Returns a token that is valid for at least five minutes, and refreshes it if necessary.
  ///
  /// Simultaneous calls share one request. If the server refuses the refresh token, because the session has ended or the
  /// account is disabled or gone, the user is signed out and the error is thrown. No other failure ends the session.
  public func getIDToken(forcingRefresh: Bool = false) async throws -> String {
    try await token(forcingRefresh: forcingRefresh)
  }

  /// Returns a token; see ``getIDToken(forcingRefresh:)``.
  public func idTokenForcingRefresh(_ forceRefresh: Bool) async throws -> String {
    try await getIDToken(forcingRefresh: forceRefresh)
  }

  /// Returns a token and its content.
  ///
  /// The signature is not checked. Verify the token on a server before relying on it. Throws `malformedJWT` and the
  /// errors of ``getIDToken(forcingRefresh:)``.
  public func getIDTokenResult(forcingRefresh: Bool = false) async throws -> AuthTokenResult {
    try AuthTokenResult(token: try await getIDToken(forcingRefresh: forcingRefresh))
  }
}

extension Auth {
  /// Requests new tokens.
  func refresh(_ refreshToken: String) async throws -> TokenPair {
    let fields = try await toolkit.call(
      .token,
      ["grantType": "refresh_token", "refreshToken": .string(refreshToken)])
    guard let token = fields.string("accessToken") else {
      throw NSError.answer(without: "access_token")
    }
    let seconds = fields.string("expiresIn").flatMap(Double.init) ?? 0
    return TokenPair(
      idToken: token, refreshToken: fields.string("refreshToken") ?? refreshToken,
      expiresAt: now().addingTimeInterval(seconds))
  }
}
