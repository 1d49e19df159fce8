import AuthValues
import Foundation
import IdentityToolkit

extension User {
  /// Returns a token that is valid for at least five minutes, and refreshes it if necessary.
  ///
  /// Simultaneous calls share one request. If the server has ended the session, the user is signed out and the error
  /// is thrown.
  public func getIDToken(forcingRefresh: Bool = false) async throws -> String {
    let before = tokens.pair
    do {
      return try await tokens.token(forcingRefresh: forcingRefresh).token
    } catch {
      end(after: error, of: tokens.pair.refreshToken == before.refreshToken)
      throw error
    }
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

  /// Runs work with the session's ID token.
  ///
  /// If the session turns out to be over, the user is signed out.
  func withToken<Value>(_ work: (_ idToken: String) async throws -> Value) async throws -> Value {
    let token = try await getIDToken()
    let call = calls.begin()
    do {
      let value = try await work(token)
      calls.end(call)
      return value
    } catch {
      calls.end(call)
      // Another call that invalidated the old tokens may be about to bring new ones.
      if rawToken == token, AuthErrorCode(error)?.endsSession == true { await calls.settle() }
      end(after: error, of: rawToken == token)
      throw error
    }
  }

  /// Signs out if the server has ended the session, unless other tokens arrived meanwhile.
  private func end(after error: any Error, of isSameSession: Bool) {
    if isSameSession, let code = AuthErrorCode(error), code.endsSession { auth.end(self) }
  }
}

extension AuthErrorCode {
  /// True if the server does not accept the session's tokens any more.
  fileprivate var endsSession: Bool {
    switch self {
    case .userNotFound, .userDisabled, .invalidUserToken, .userTokenExpired: true
    default: false
    }
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
