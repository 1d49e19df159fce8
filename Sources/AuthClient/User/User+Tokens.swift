import AuthValues
import Foundation
import IdentityToolkit

extension User {
  /// Gives a token that is good for five minutes at least, asking for a new one where it has to.
  ///
  /// However many ask at once, one request is made. Where the server says that the session is over, the user is
  /// signed out here; the error is thrown all the same.
  public func getIDToken(forcingRefresh: Bool = false) async throws -> String {
    let before = tokens.pair
    do {
      return try await tokens.token(forcingRefresh: forcingRefresh).token
    } catch {
      end(after: error, of: tokens.pair.refreshToken == before.refreshToken)
      throw error
    }
  }

  /// Gives a token; see ``getIDToken(forcingRefresh:)``.
  public func idTokenForcingRefresh(_ forceRefresh: Bool) async throws -> String {
    try await getIDToken(forcingRefresh: forceRefresh)
  }

  /// Gives a token with what it says.
  ///
  /// The signature is not checked: whoever relies on what a token says has to check it on a server. Throws
  /// `malformedJWT` besides what ``getIDToken(forcingRefresh:)`` does.
  public func getIDTokenResult(forcingRefresh: Bool = false) async throws -> AuthTokenResult {
    try AuthTokenResult(token: try await getIDToken(forcingRefresh: forcingRefresh))
  }

  /// Does something with the session's ID token; where it turns out to be over, the user is signed out here.
  func withToken<Value>(_ work: (_ idToken: String) async throws -> Value) async throws -> Value {
    let token = try await getIDToken()
    let call = calls.begin()
    do {
      let value = try await work(token)
      calls.end(call)
      return value
    } catch {
      calls.end(call)
      // Another call that ended the old tokens may be about to bring new ones.
      if rawToken == token, AuthErrorCode(error)?.endsSession == true { await calls.settle() }
      end(after: error, of: rawToken == token)
      throw error
    }
  }

  /// Signs out where the server says that the session is over, unless other tokens came meanwhile: those are good.
  private func end(after error: any Error, of isSameSession: Bool) {
    if isSameSession, let code = AuthErrorCode(error), code.endsSession { auth.end(self) }
  }
}

extension AuthErrorCode {
  /// Whether a server that answers this will take the session's tokens no more.
  fileprivate var endsSession: Bool {
    switch self {
    case .userNotFound, .userDisabled, .invalidUserToken, .userTokenExpired: true
    default: false
    }
  }
}

extension Auth {
  /// Asks for new tokens.
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
