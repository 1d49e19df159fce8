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

  /// Names that no claim of an account or a session may have in a token, whether the token has them or not.
  private static let own: Set<String> = CustomClaims.reserved.union([
    "email", "email_verified", "phone_number", "provider_id", "user_id",
  ])

  /// Firebase's name of a provider in `sign_in_provider`.
  static func signInProvider(_ provider: ProviderID) -> ProviderID {
    provider == .emailLink ? .password : provider
  }

  func claims(issuer: String, at now: Timestamp, lifetime: Int64) -> JSONValue {
    let seconds = now.milliseconds / 1000
    let uid = JSONValue.string(account.id.rawValue)
    // Room for the token's own and a few more, which would otherwise be moved several times.
    var claims = [String: JSONValue](minimumCapacity: 20)
    claims["name"] = account.displayName.map(JSONValue.string)
    claims["picture"] = account.photoURL.map(JSONValue.string)
    add(account.customClaims?.members, to: &claims)
    if case .object(let members) = session { add(members, to: &claims) }
    if let email = account.email {
      claims["email"] = .string(email.text.lowercased())
      claims["email_verified"] = .bool(account.emailVerified)
    }
    claims["phone_number"] = account.phoneNumber.map { .string($0.text) }
    if provider == .anonymous { claims["provider_id"] = .string(provider.rawValue) }
    claims["auth_time"] = .integer(authTime.milliseconds / 1000)
    claims["firebase"] = firebase
    claims["iss"] = .string(issuer)
    claims["aud"] = .string(account.scope.project)
    claims["sub"] = uid
    claims["user_id"] = uid
    claims["iat"] = .integer(seconds)
    claims["exp"] = .integer(seconds + lifetime)
    return .object(claims)
  }

  private func add(_ members: [String: JSONValue]?, to claims: inout [String: JSONValue]) {
    for (name, value) in members ?? [:] where !Self.own.contains(name) { claims[name] = value }
  }

  private var firebase: JSONValue {
    var members: [String: JSONValue] = [
      "identities": identities,
      "sign_in_provider": .string(Self.signInProvider(provider).rawValue),
    ]
    if let secondFactor {
      members["sign_in_second_factor"] = .string(secondFactor.kind)
      members["second_factor_identifier"] = .string(secondFactor.id)
    }
    members["tenant"] = account.scope.tenant.map(JSONValue.string)
    // No custom token and no hook can say "firebase", so these are the provider's own.
    members["sign_in_attributes"] = session["firebase"]?["sign_in_attributes"]
    return .object(members)
  }

  /// The address, and the subjects of every provider but those that Firebase has no entry for.
  private var identities: JSONValue {
    var subjects: [String: [JSONValue]] = [:]
    if let email = account.email { subjects["email"] = [.string(email.text.lowercased())] }
    for identity in account.identities where !Self.unlisted.contains(identity.provider) {
      subjects[identity.provider.rawValue, default: []].append(.string(identity.key.subject))
    }
    return .object(subjects.mapValues(JSONValue.array))
  }

  private static let unlisted: Set<ProviderID> = [.password, .emailLink, .anonymous, .custom]
}
