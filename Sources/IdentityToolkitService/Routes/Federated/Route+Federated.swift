/// Sign-in with identity providers and their tokens.
extension Route {
  static let federated: [Route] = [
    Route(
      .post, "/v1/accounts:signInWithIdp", name: "identitytoolkit.accounts.signInWithIdp",
      fields: [
        .flag("autoCreate"), "delegatedProjectNumber", "idToken", .anything("pendingIdToken"),
        "pendingToken", "postBody", "requestUri", .flag("returnIdpCredential"),
        .anything("returnRefreshToken"), .flag("returnSecureToken"), "sessionId",
        "targetProjectId", "tenantId", "tenantProjectNumber",
      ]
    ) { try await FederatedHandler($0).signInWithIdp() },
    Route(
      .post, "/v1/accounts:createAuthUri", name: "identitytoolkit.accounts.createAuthUri",
      fields: [
        "appId", "authFlowType", "context", "continueUri",
        .map("customParameter", most: RouteBounds.customParameters), "hostedDomain",
        "identifier", "oauthConsumerKey", "oauthScope", "openidRealm", "otaApp", "providerId",
        "sessionId", "targetProjectId", "tenantId", "tenantProjectNumber",
      ]
    ) { try await FederatedHandler($0).createAuthURI() },
    Route(
      .post, "/v2/accounts:revokeToken", name: "identitytoolkit.accounts.revokeToken",
      fields: ["idToken", "providerId", "redirectUri", "tenantId", "token", "tokenType"]
    ) { try await FederatedHandler($0).revokeToken() },
    Route(
      .post, "/v1/accounts:signInWithGameCenter",
      name: "identitytoolkit.accounts.signInWithGameCenter",
      fields: [
        "displayName", "gamePlayerId", "idToken", "playerId", "publicKeyUrl", "salt", "signature",
        "teamPlayerId", "tenantId", .number("timestamp"),
      ]
    ) { try await FederatedHandler($0).signInWithGameCenter() },
    Route(
      .post, "/v1/accounts:issueSamlResponse", name: "identitytoolkit.accounts.issueSamlResponse",
      fields: ["idToken", "rpId", "samlAppEntityId"]
    ) { try await FederatedHandler($0).issueSamlResponse() },
    Route(
      .post, "/v1/accounts:verifyIosClient", name: "identitytoolkit.accounts.verifyIosClient",
      fields: ["appToken", .flag("isSandbox")]
    ) { try await FederatedHandler($0).verifyIOSClient() },
  ]
}
