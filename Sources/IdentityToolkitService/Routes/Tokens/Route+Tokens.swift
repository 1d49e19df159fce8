import SessionTokens

extension Route {
  /// Firebase's Secure Token service, and the token endpoint of service accounts.
  static let tokens: [Route] = [
    Route(
      .post, "/v1/token", of: .secureToken, access: .key, name: "securetoken.token",
      fields: [
        "grantType", "refreshToken", "code", "scope", "key", "tenantId", "targetProjectId",
      ],
      worksWhileDisabled: true
    ) { try await TokenHandler($0).grant() },
    Route(
      .post, ServiceAccountFile.tokenPath, of: .own, access: .open, name: "authgraph.token",
      modes: [.production]
    ) { try await AccessTokenHandler($0).grant() },
  ]
}
