import AuthCore

/// A vendor whose credential every interface can carry: an ID token that consists of its claims.
struct SameProvider: AuthProvider {
  static let id = ProviderID("same.example")

  var id: ProviderID { Self.id }

  var manifest: ProviderManifest {
    ProviderManifest(
      name: "Same", kind: .custom,
      builders: [
        CredentialBuilder("idToken", fields: [CredentialField("idToken", "the claims, as JSON")])
      ])
  }

  func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    let claims = try JSONValue(text: try credential.required("idToken"))
    let email = claims["email"]?.stringValue
    return VerifiedIdentity(
      provider: id, key: IdentityKey(id, subject: claims["sub"]?.stringValue ?? ""),
      profile: IdentityProfile(email: email), emailVerified: email != nil,
      email: try email.map { try EmailAddress($0) })
  }

  /// Returns the ID token of a person; an address is verified.
  static func token(_ subject: String, email: String? = nil) -> String {
    var claims: [String: JSONValue] = ["sub": .string(subject)]
    claims["email"] = email.map(JSONValue.string)
    return JSONValue.object(claims).text
  }
}
