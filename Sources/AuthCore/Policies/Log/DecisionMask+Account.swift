/// The parts of an account that a policy sees.
extension DecisionMask {
  /// Masks an account, without its claims.
  mutating func account(_ account: Account) -> Account {
    var masked = Account(
      id: uid(account.id), scope: account.scope, createdAt: account.createdAt)
    masked.email = account.email.flatMap { email($0) }
    masked.emailVerified = account.emailVerified
    masked.displayName = token(.name, account.displayName) { "name \($0)" }
    masked.photoURL = picture(account.photoURL)
    masked.phoneNumber = account.phoneNumber.flatMap { phone($0) }
    masked.disabled = account.disabled
    masked.isAnonymous = account.isAnonymous
    masked.lastSignInAt = account.lastSignInAt
    masked.identities = account.identities.map { identity($0) }
    masked.secondFactors = account.secondFactors.map { factor($0) }
    return masked
  }

  /// Masks a credential, without its claims.
  mutating func credential(
    _ credential: ConflictCredential, of provider: ProviderID
  ) -> ConflictCredential {
    var masked = credential
    masked.subject = credential.subject.map {
      key(IdentityKey(provider, subject: $0)).subject
    }
    masked.email = credential.email.flatMap { text in
      email(text)?.text ?? token(.name, text) { "name \($0)" }
    }
    return masked
  }

  mutating func claims(_ claims: CustomClaims?) -> CustomClaims? {
    claims.flatMap { try? CustomClaims(stored: data(.object($0.members)).text) }
  }

  private mutating func identity(_ identity: Identity) -> Identity {
    var profile = IdentityProfile()
    profile.email = identity.profile.email.flatMap { text in
      email(text)?.text ?? token(.name, text) { "name \($0)" }
    }
    profile.displayName = token(.name, identity.profile.displayName) { "name \($0)" }
    profile.photoURL = picture(identity.profile.photoURL)
    profile.phoneNumber = identity.profile.phoneNumber.flatMap { text in
      (try? PhoneNumber(text)).map { phone($0)?.text } ?? token(.name, text) { "name \($0)" }
    }
    return Identity(
      key: key(identity.key), profile: profile, emailVerified: identity.emailVerified,
      origin: identity.origin, linkedAt: identity.linkedAt, lastSignInAt: identity.lastSignInAt,
      secret: passwordTime(of: identity))
  }

  /// The time at which a password was set, which policies see; the text stays out.
  private func passwordTime(of identity: Identity) -> StoredSecret? {
    guard identity.provider == .password, let secret = identity.secret else { return nil }
    return StoredSecret(encoded: "masked", changedAt: secret.changedAt)
  }

  /// Masks a key; the subject of a password, a link or a phone stays an address or a number.
  mutating func key(_ key: IdentityKey) -> IdentityKey {
    var subject: String?
    switch key.provider {
    case .password, .emailLink:
      subject = email(key.subject)?.canonical
    case .phone: subject = (try? PhoneNumber(key.subject)).flatMap { phone($0)?.text }
    default: break
    }
    let masked = subject ?? token(.subject, key.subject) { "subject-\($0)" } ?? key.subject
    return IdentityKey(key.provider, issuer: key.issuer, subject: masked)
  }

  private mutating func factor(_ factor: SecondFactor) -> SecondFactor {
    var kind = factor.kind
    if case .phone(let number) = kind, let masked = phone(number) { kind = .phone(masked) }
    return SecondFactor(
      id: token(.factor, factor.id) { "factor-\($0)" } ?? "", kind: kind,
      displayName: token(.name, factor.displayName) { "name \($0)" },
      enrolledAt: factor.enrolledAt)
  }

  /// Masks the path of a picture's URL.
  private mutating func picture(_ url: String?) -> String? {
    token(.picture, url) { number in
      let text = url ?? ""
      let bytes = text.utf8
      let slash = UInt8(ascii: "/")
      guard let first = bytes.firstIndex(of: slash) else { return "picture-\(number)" }
      let second = bytes.index(after: first)
      guard second < bytes.endIndex, bytes[second] == slash else { return "picture-\(number)" }
      let host = bytes[bytes.index(after: second)...].prefix { $0 != slash }
      return host.contains(UInt8(ascii: "@"))
        ? "picture-\(number)" : "\(text[..<host.endIndex])/picture-\(number)"
    }
  }
}
