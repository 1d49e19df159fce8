import AuthCore
import IdentityToolkit
import SessionTokens

/// Firebase's Secure Token service.
struct TokenHandler: RequestHandler {
  let call: Call

  /// `POST /v1/token`: returns new tokens for a refresh token.
  func grant() async throws -> Answer {
    guard let grantType = try body.filled("grantType") else {
      throw WireError("MISSING_GRANT_TYPE")
    }
    guard grantType == "refresh_token" else { throw WireError("INVALID_GRANT_TYPE") }
    guard let refreshToken = try body.filled("refreshToken") else {
      throw WireError("MISSING_REFRESH_TOKEN")
    }
    guard let session = call.refreshedSession else { throw WireError("INVALID_REFRESH_TOKEN") }
    let tokens: TokenService.Tokens
    do {
      var caller = Caller(
        scope: scope,
        authority: .session(
          session.account, signedInAt: session.signedInAt,
          secondFactor: session.secondFactor != nil, identity: session.identity),
        client: client)
      caller.mark = behavior.shown(session.mark)
      let (account, grant) = try await graph.renewSession(
        provider: session.provider, identity: session.identity, showing: session.secondFactor,
        claims: session.claims, by: caller)
      tokens = try await services.tokens.renew(
        session, grant, account, refreshToken: refreshToken)
    } catch let error as AuthError {
      throw refusal(error)
    }
    return .json([
      "id_token": .string(tokens.idToken.reveal()),
      "access_token": .string(tokens.idToken.reveal()),
      "refresh_token": .string(tokens.refreshToken.reveal()),
      "expires_in": .string(String(tokens.lifetime)),
      "token_type": "Bearer",
      "user_id": .string(session.account.rawValue),
      "project_id": .string(services.settings.projectNumber),
    ])
  }

  /// Converts the error of a refresh.
  ///
  /// A session that lacks a second factor counts as over.
  private func refusal(_ error: AuthError) -> WireError {
    switch error.code {
    case .userNotFound: behavior.sessionWithoutAccount
    case .secondFactorRequired: WireError("TOKEN_EXPIRED")
    default: behavior.wireError(error)
    }
  }
}
