import AuthCore

extension IdPAnswer {
  /// Describes the emulated identity, with the members that the emulator's answers have.
  init(_ identity: EmulatedIdentity, _ parameters: IdPParameters) {
    let claims = identity.claims
    provider = identity.provider
    email = identity.email
    emailVerified = identity.emailVerified
    displayName = claims["name"]
    photoURL = claims["picture"]
    screenName = claims["screen_name"]
    if provider == .google {
      federatedID = Self.federatedID(provider, identity.subject)
      firstName = claims["given_name"]
      lastName = claims["family_name"]
      rawUserInfo = GoogleInfo(identity: identity).json
    } else {
      federatedID = identity.subject
      rawUserInfo =
        provider.rawValue.hasPrefix("saml.")
        ? identity.attributes?.text : JSONValue.object(claims).text
    }
    credentials.idToken = parameters["id_token"]
    credentials.accessToken =
      parameters["access_token"] ?? "FirebaseAuthEmulatorFakeAccessToken_\(provider)"
  }
}

/// A person's profile as Google's older user-info endpoint returns it.
private struct GoogleInfo: JSONRecord {
  let identity: EmulatedIdentity

  func writeMembers(_ writer: inout JSONWriter) {
    let claims = identity.claims
    var scopes = "openid https://www.googleapis.com/auth/userinfo.profile"
    if identity.email != nil { scopes += " https://www.googleapis.com/auth/userinfo.email" }
    writer.member("email", claims["email"])
    writer.member("family_name", claims["family_name"])
    writer.member("given_name", claims["given_name"])
    writer.member("granted_scopes", scopes)
    writer.member("id", identity.subject)
    writer.member("locale", "en")
    writer.member("name", claims["name"])
    writer.member("picture", claims["picture"])
    writer.member("verified_email", claims["email_verified"])
  }
}
