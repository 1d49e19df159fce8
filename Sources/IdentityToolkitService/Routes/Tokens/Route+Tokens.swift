extension Route {
  /// Firebase's Secure Token service.
  static let tokens: [Route] = [
    Route(
      .post, "/v1/token", of: .secureToken, access: .key, name: "securetoken.token",
      fields: [
        "grantType", "refreshToken", "code", "scope", "key", "tenantId", "targetProjectId",
      ],
      worksWhileDisabled: true
    ) { try await TokenHandler($0).grant() }
  ]
}
