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
        email: token.email, displayName: token.name, photoURL: token.picture))
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
    if profile.email == nil, let email = userInfo["email"]?.stringValue {
      believe(email: email, verified: userInfo["email_verified"] == .bool(true))
    }
    profile.displayName = profile.displayName ?? userInfo["name"]?.stringValue
    profile.photoURL = profile.photoURL ?? userInfo["picture"]?.stringValue
    profile.screenName = profile.screenName ?? userInfo["preferred_username"]?.stringValue
    guard case .object(let said) = userInfo, case .object(let token) = claims else { return }
    claims = .object(said.merging(token) { _, signed in signed })
  }
}

extension JSONValue {
  /// The object without some of its members.
  package func removing(_ names: Set<String>) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { !names.contains($0.key) })
  }
}
