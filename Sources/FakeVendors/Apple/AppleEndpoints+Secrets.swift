import AuthCore

extension AppleEndpoints {
  /// The longest lifetime of a client secret in seconds: half a year.
  private static let longestSecret: Int64 = 15_777_000

  func exchange(_ request: VendorRequest) -> VendorResponse {
    do {
      try refuseAsOrdered(request)
      let client = try client(of: request)
      return try token(
        request.form, client, givesIDToken: { _ in true }, refreshTokenPrefix: "r")
    } catch let refusal as OAuthRefusal {
      return refusal.response
    } catch {
      return Self.broken
    }
  }

  func revocation(_ request: VendorRequest) -> VendorResponse {
    do throws(OAuthRefusal) {
      let client = try client(of: request)
      guard let token = request.form["token"] else {
        throw OAuthRefusal("invalid_request", "The token is missing.")
      }
      records.revoke(token, of: client.id)
      return VendorResponse()
    } catch {
      return error.response
    }
  }

  /// Finds the calling app by the client secret that it signed.
  private func client(of request: VendorRequest) throws(OAuthRefusal) -> FakeClient {
    let form = request.form
    if let name = form.repeatedName {
      throw OAuthRefusal("invalid_request", "\(name) was sent more than once.")
    }
    guard let client = records.client(form["client_id"] ?? "") else {
      throw OAuthRefusal("invalid_client", "There is no app with this client_id.")
    }
    guard let secret = CompactToken(form["client_secret"] ?? ""),
      configuration.developerKey.didSign(secret),
      secret.headerMembers?["kid"] == .string(configuration.developerKey.keyID)
    else {
      throw OAuthRefusal("invalid_client", "The client secret is not signed by the team's key.")
    }
    try checkClaims(of: secret, client)
    return client
  }

  private func checkClaims(
    of secret: CompactToken, _ client: FakeClient
  ) throws(OAuthRefusal) {
    let now = records.clock().milliseconds / 1000
    guard secret.claims?["iss"] == .string(configuration.teamID) else {
      throw OAuthRefusal("invalid_client", "The client secret is not of the team.")
    }
    guard secret.claims?["sub"] == .string(client.id) else {
      throw OAuthRefusal("invalid_client", "The client secret is of another app.")
    }
    guard secret.claims?["aud"] == .string(records.issuer) else {
      throw OAuthRefusal("invalid_client", "The client secret is for another audience.")
    }
    guard case .integer(let end) = secret.claims?["exp"], now < end,
      end <= now + Self.longestSecret
    else { throw OAuthRefusal("invalid_client", "The client secret is over or good for too long.") }
    guard case .integer(let begin) = secret.claims?["iat"], begin <= now + 60 else {
      throw OAuthRefusal("invalid_client", "The client secret was not made yet.")
    }
  }
}
