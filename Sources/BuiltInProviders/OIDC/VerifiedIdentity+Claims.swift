package import AuthCore

extension VerifiedIdentity {
  /// Claims that belong to one transport of the token and tell nothing about the person.
  package static let transportClaims: Set<String> = ["nonce", "at_hash", "c_hash", "s_hash"]

  /// Makes the identity that an ID token vouches for; the token may not be used again.
  ///
  /// The issuer is the one of the identity's key: empty where the provider has only one.
  init(_ provider: ProviderID, issuer: String = "", token: IDTokenClaims) {
    self.init(
      provider: provider,
      key: IdentityKey(provider, issuer: issuer, subject: token.subject),
      profile: IdentityProfile(
        email: token.email, displayName: PersonName.display(in: token.all),
        photoURL: PersonName.said(token.all["picture"])))
    believe(email: token.email, verified: token.emailVerified)
    claims = token.all.removing(Self.transportClaims)
    uses = token.uses
  }

  /// Takes over an e-mail address; the word on it counts only where it is an address at all.
  mutating func believe(email: String?, verified: Bool) {
    profile.email = email
    self.email = email.flatMap { try? EmailAddress($0) }
    emailVerified = verified && self.email != nil
  }

  /// Fills in what the ID token left out from what the userinfo endpoint says about the same subject.
  mutating func complete(with userInfo: JSONValue) {
    let all = claims.claims(over: userInfo)
    believe(email: all["email"]?.stringValue, verified: all["email_verified"] == .bool(true))
    profile.displayName = PersonName.display(in: all)
    profile.photoURL = PersonName.said(all["picture"])
    profile.screenName = PersonName.said(all["preferred_username"])
    claims = all
  }
}

extension IDTokenClaims {
  /// Whether userinfo may say what the token does not: the address, the word on it, or a name.
  ///
  /// Okta's, Authelia's and GitLab's ID tokens of the code flow are such.
  var isThin: Bool {
    PersonName.said(all["email"]) == nil || (all["email_verified"] ?? .null) == .null
      || PersonName.display(in: all) == nil
  }
}

extension JSONValue {
  /// The object without some of its members.
  package func removing(_ names: Set<String>) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { !names.contains($0.key) })
  }
}
