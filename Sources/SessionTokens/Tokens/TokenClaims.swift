import AuthCore

/// What an ID token is to say.
struct TokenClaims: Sendable {
  let account: Account
  /// The one that made the session, as the graph names it.
  let provider: ProviderID
  let authTime: Timestamp
  let secondFactor: SessionGrant.Factor?
  /// The session's own claims, or null.
  let session: JSONValue
  let issuer: String
  let issuedAt: Timestamp
  /// In seconds.
  let lifetime: Int64

  /// Names that no claim of an account or a session may have in a token, whether the token has them or not.
  private static let own: Set<String> = CustomClaims.reserved.union([
    "email", "email_verified", "phone_number", "provider_id", "user_id",
  ])

  /// The names of the session's own claims that the token has, in their order.
  var namesOfSession: [String] { Self.others(in: session).keys.sorted() }

  /// The claims that an admin, a custom token or a hook gave; where account and session both have one, the session's.
  private var others: [String: JSONValue] {
    let ofSession = Self.others(in: session)
    guard let members = account.customClaims?.members else { return ofSession }
    return Self.others(in: .object(members)).merging(ofSession) { _, new in new }
  }

  private static func others(in claims: JSONValue) -> [String: JSONValue] {
    guard case .object(let members) = claims else { return [:] }
    return members.filter { !own.contains($0.key) }
  }
}

extension TokenClaims: JSONRecord {
  /// Writes the token's own claims in the order of their names, and then the others in theirs.
  func writeMembers(_ writer: inout JSONWriter) {
    let others = others
    let (uid, email) = (account.id.rawValue, lowercasedEmail)
    let seconds = issuedAt.milliseconds / 1000
    writer.member("aud", account.scope.project)
    writer.member("auth_time", authTime.milliseconds / 1000)
    writer.member("email", email)
    if email != nil { writer.member("email_verified", account.emailVerified) }
    writer.member("exp", seconds + lifetime)
    writer.name("firebase")
    writer.object(writeFirebase)
    writer.member("iat", seconds)
    writer.member("iss", issuer)
    if others["name"] == nil { writer.member("name", account.displayName) }
    writer.member("phone_number", account.phoneNumber?.text)
    if others["picture"] == nil { writer.member("picture", account.photoURL) }
    if provider == .anonymous { writer.member("provider_id", provider.rawValue) }
    writer.member("sub", uid)
    writer.member("user_id", uid)
    for (name, value) in others.sorted(by: { $0.key.precedesExactly($1.key) }) {
      writer.member(named: name, value)
    }
  }

  private func writeFirebase(_ writer: inout JSONWriter) {
    writer.name("identities")
    writer.object(writeIdentities)
    // No custom token and no hook can say "firebase", so these are the provider's own.
    if let attributes = session["firebase"]?["sign_in_attributes"] {
      writer.member("sign_in_attributes", attributes)
    }
    writer.member("sign_in_provider", TokenService.signInProvider(provider).rawValue)
    writer.member("sign_in_second_factor", secondFactor?.kind)
    writer.member("second_factor_identifier", secondFactor?.id)
    writer.member("tenant", account.scope.tenant)
  }

  /// The address, and the subjects of every provider but those that Firebase has no entry for.
  private func writeIdentities(_ writer: inout JSONWriter) {
    var listed: [(name: String, text: String)] = []
    listed.reserveCapacity(account.identities.count + 1)
    for identity in account.identities where !Self.unlisted.contains(identity.provider) {
      listed.append((identity.provider.rawValue, identity.key.subject))
    }
    if let lowercasedEmail { listed.append(("email", lowercasedEmail)) }
    // The order of one provider's identities stays.
    listed.sort { $0.name.precedesExactly($1.name) }
    var start = 0
    while start < listed.count {
      let name = listed[start].name
      let end = listed[start...].firstIndex { $0.name != name } ?? listed.count
      writer.member(named: name, texts: listed[start..<end].map(\.text))
      start = end
    }
  }

  private var lowercasedEmail: String? { account.email?.text.lowercased() }

  private static let unlisted: [ProviderID] = [.password, .emailLink, .anonymous, .custom]
}
