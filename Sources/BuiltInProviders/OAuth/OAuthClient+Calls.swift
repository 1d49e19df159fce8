public import AuthCore

extension OAuthClient {
  public func authorizationURL(
    _ grant: AuthorizationGrant, scopes: [String],
    parameters: [(name: String, value: String)] = []
  ) -> String { "" }

  public func exchange(
    code: String, redirectURI: String, codeVerifier: String?
  ) async throws -> TokenResponse { throw notYet }

  public func refresh(_ refreshToken: Secret<String>) async throws -> TokenResponse {
    throw notYet
  }

  public func userInfo(
    accessToken: Secret<String>, expectedSubject: String?
  ) async throws -> JSONValue { throw notYet }

  public func introspect(_ token: Secret<String>) async throws -> JSONValue { throw notYet }

  public func revoke(_ token: Secret<String>, hint: String?) async throws { throw notYet }

  private var notYet: AuthError { AuthError(.internalError, "Not done yet.", step: .exchange) }
}
