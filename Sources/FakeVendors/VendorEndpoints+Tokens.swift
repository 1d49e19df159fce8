import AuthCore

extension VendorEndpoints {
  /// Answers a token endpoint for codes and refresh tokens (RFC 6749, 5).
  func token(
    _ request: VendorRequest, allowing methods: Set<FakeClient.Authentication>,
    givesIDToken: (Grant) -> Bool = { _ in true }, refreshTokenPrefix: String = ""
  ) -> VendorResponse {
    do {
      try refuseAsOrdered(request)
      let client = try records.client(of: request, allowing: methods)
      return try token(
        request.form, client, givesIDToken: givesIDToken, refreshTokenPrefix: refreshTokenPrefix)
    } catch let refusal as OAuthRefusal {
      return refusal.response
    } catch {
      return Self.broken
    }
  }

  /// Answers the grant type's request, for an authenticated app.
  func token(
    _ form: RequestFields, _ client: FakeClient, givesIDToken: (Grant) -> Bool,
    refreshTokenPrefix: String
  ) throws -> VendorResponse {
    switch form["grant_type"] {
    case "authorization_code":
      let grant = try records.redeemCode(form, by: client)
      let refresh =
        grant.wantsRefreshToken
        ? records.issueRefreshToken(grant, prefix: refreshTokenPrefix) : nil
      return try tokens(for: grant, refresh: refresh, givesIDToken: givesIDToken(grant))
    case "refresh_token":
      var grant = try records.redeemRefreshToken(form, by: client)
      if let other = records.misbehavior.refreshedPerson { grant.person = other }
      return try tokens(for: grant, refresh: nil, givesIDToken: givesIDToken(grant))
    case nil: throw OAuthRefusal("invalid_request", "The grant_type is missing.")
    default: throw OAuthRefusal("unsupported_grant_type", "This grant_type is not offered.")
    }
  }

  /// Throws the ordered error of the token endpoint, and refuses methods other than POST.
  func refuseAsOrdered(_ request: VendorRequest) throws(OAuthRefusal) {
    guard request.method == "POST" else {
      throw OAuthRefusal("invalid_request", "Tokens are given to POST only.", status: 405)
    }
    if let error = records.misbehavior.tokenError {
      throw OAuthRefusal(error, "The vendor was told to refuse.")
    }
  }

  private func tokens(
    for grant: Grant, refresh: String?, givesIDToken: Bool
  ) throws -> VendorResponse {
    let access = records.issueAccessToken(grant, prefix: accessTokenPrefix)
    var members: [String: JSONValue] = [
      "access_token": .string(access), "token_type": "Bearer",
      "expires_in": .integer(grant.lifetime), "refresh_token": .optional(refresh),
    ]
    if !grant.scopes.isEmpty {
      members["scope"] = .string(grant.scopes.joined(separator: " "))
    }
    let lies = records.misbehavior
    if givesIDToken, !lies.omitsIDToken {
      members["id_token"] = .string(
        try idToken(
          for: records.person(of: grant), audience: grant.clientID, nonce: grant.nonce,
          adding: ["at_hash": halfHash(access)], hostile: lies.idToken))
    }
    return .json(
      .object(members.filter { $0.value != .null }),
      headers: [RequestFields.Field("Cache-Control", "no-store")])
  }
}
