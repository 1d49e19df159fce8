import AuthCore

/// The claims of an ID token to be issued.
struct TokenClaims: Sendable {
  let account: Account
  /// The provider of the sign-in, by its name in the graph.
  let provider: ProviderID
  let authTime: Timestamp
  let secondFactor: SessionGrant.Factor?
  /// The session's own claims, or null.
  let session: JSONValue
  let issuer: String
  let issuedAt: Timestamp
  /// The validity in seconds.
  let lifetime: Int64

  /// The names that claims of an account or a session may not have, even if the token omits them.
  private static let own: Set<String> = CustomClaims.reserved.union([
    "email", "email_verified", "phone_number", "provider_id", "user_id",
  ])

  /// The sorted names of the session's own claims in the token.
  var namesOfSession: [String] { Self.others(in: session).keys.sorted() }

  /// The claims from an admin, a custom token or a hook.
  ///
  /// The session's value overrides the account's.
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
  /// Writes the token's own claims sorted by name, and then the others sorted by name.
  func writeMembers(_ writer: inout JSONWriter) {
    let others = others
    let (uid, email) = (account.id.rawValue, lowercasedEmail)
    let seconds = issuedAt.milliseconds / 1000
    writer.member("aud", account.scope.project)
    writer.member("auth_time", authTime.milliseconds / 1000)
    writer.member("email", email)
    if email != nil || account.emailVerified {
      writer.member("email_verified", account.emailVerified)
    }
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
    // Custom tokens and hooks cannot set "firebase", so these attributes come from the provider.
    if let attributes = session["firebase"]?["sign_in_attributes"] {
      writer.member("sign_in_attributes", attributes)
    }
    writer.member("sign_in_provider", TokenService.signInProvider(provider).rawValue)
    writer.member("sign_in_second_factor", secondFactor?.kind)
    writer.member("second_factor_identifier", secondFactor?.id)
    writer.member("tenant", account.scope.tenant)
  }

  /// Writes the address, and the subjects of all providers except those for which Firebase has no entry.
  private func writeIdentities(_ writer: inout JSONWriter) {
    var listed: [(name: String, text: String)] = []
    listed.reserveCapacity(account.identities.count + 1)
    for identity in account.identities where !Self.unlisted.contains(identity.provider) {
      listed.append((identity.provider.rawValue, identity.key.subject))
    }
    if let lowercasedEmail { listed.append(("email", lowercasedEmail)) }
    // The sort is stable, so identities of one provider keep their order.
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
