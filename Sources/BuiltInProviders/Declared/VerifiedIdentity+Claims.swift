package import AuthCore

extension VerifiedIdentity {
  /// The claims that bind a token to one sign-in and say nothing about the person.
  package static let transportClaims: Set<String> = ["nonce", "at_hash", "c_hash", "s_hash"]

  /// Makes the identity of a verified ID token, which may not be used again.
  ///
  /// The issuer is part of the identity's key; it is empty if the provider has only one.
  init(_ provider: ProviderID, issuer: String = "", token: IDTokenClaims) {
    self.init(
      provider: provider,
      key: IdentityKey(provider, issuer: issuer, subject: token.subject),
      profile: IdentityProfile(
        email: token.email, displayName: PersonName.display(in: token.all),
        photoURL: PersonName.said(token.all["picture"])))
    setEmail(token.email, verified: token.emailVerified)
    claims = token.all.removing(Self.transportClaims)
    uses = token.uses
  }

  /// Sets the e-mail address; `verified` counts only if the address is valid.
  mutating func setEmail(_ email: String?, verified: Bool) {
    profile.email = email
    self.email = email.flatMap { try? EmailAddress($0) }
    emailVerified = verified && self.email != nil
  }

  /// Completes the ID token's claims with those of the userinfo endpoint about the same subject.
  mutating func complete(with userInfo: JSONValue) {
    let all = claims.claims(over: userInfo)
    setEmail(all["email"]?.stringValue, verified: all["email_verified"] == .bool(true))
    profile.displayName = PersonName.display(in: all)
    profile.photoURL = PersonName.said(all["picture"])
    profile.screenName = PersonName.said(all["preferred_username"])
    claims = all
  }
}

extension IDTokenClaims {
  /// Tells whether claims lack the e-mail address, its verification or a name, which userinfo may add.
  ///
  /// The ID tokens of Okta, Authelia and GitLab in the code flow lack them.
  static func isThin(_ all: JSONValue) -> Bool {
    PersonName.said(all["email"]) == nil || (all["email_verified"] ?? .null) == .null
      || PersonName.display(in: all) == nil
  }
}

extension JSONValue {
  /// Returns the object without some of its members.
  package func removing(_ names: Set<String>) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { !names.contains($0.key) })
  }
}
