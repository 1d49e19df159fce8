import AuthCore

extension GoogleProvider {
  /// Verifies that an access token belongs to one of our apps, and reads the person's profile.
  ///
  /// The userinfo endpoint accepts another app's access token too, so the tokeninfo endpoint is asked first.
  /// Audience and presenter both have to be ours: a token that our app requested for another server is known to
  /// that server.
  func verifyAccessToken(
    _ token: String, _ settings: ProviderSettings
  ) async throws -> VerifiedIdentity {
    let clientIDs = try settings.requiredList("clientIDs")
    let info = try await tokenInfo(token, settings)
    let presenter = info["azp"] ?? .null
    guard let audience = info["aud"]?.stringValue, clientIDs.contains(audience),
      presenter == .null || presenter.stringValue.map(clientIDs.contains) == true
    else {
      throw Self.refusal("The access token was issued to another app.", field: "aud")
    }
    guard let seconds = Self.seconds(info["expires_in"]), seconds > 0 else {
      throw Self.refusal("The access token has expired.", field: "expires_in")
    }
    guard let subject = info["sub"]?.stringValue, !subject.isEmpty else {
      throw Self.refusal(
        "The access token does not tell who it belongs to.", field: "sub",
        remedy: "Ask for the scope openid.")
    }
    let profile = try await resourceClient(settings).userInfo(
      accessToken: Secret(token), expectedSubject: subject)
    try checkHostedDomain(profile["hd"], settings)
    return identity(subject, profile)
  }

  /// Makes the identity from the answer of the userinfo endpoint.
  func identity(_ subject: String, _ userInfo: JSONValue) -> VerifiedIdentity {
    var identity = VerifiedIdentity(
      provider: id, key: IdentityKey(id, subject: subject), claims: userInfo)
    identity.complete(with: userInfo)
    return identity
  }

  private func tokenInfo(_ token: String, _ settings: ProviderSettings) async throws -> JSONValue {
    let endpoint = settings.endpoint(
      "tokenInfo", usually: "https://oauth2.googleapis.com/tokeninfo")
    var request = HTTPRequest(
      .get, URLText.adding([("access_token", token)], to: endpoint),
      headers: [("Accept", "application/json")])
    request.privateHosts = settings.privateHosts
    return try await VendorExchange(transport: transport, step: .token).resource(
      request)
  }

  /// Reads a number of seconds, which Google writes as text.
  private static func seconds(_ value: JSONValue?) -> Int64? {
    switch value {
    case .integer(let number): number
    case .string(let text): Int64(text)
    default: nil
    }
  }

  private static func refusal(
    _ message: String, field: String, remedy: String = "Sign in with Google again."
  ) -> AuthError {
    AuthError(.invalidCredential, message, field: field, remedy: remedy, step: .token)
  }
}
