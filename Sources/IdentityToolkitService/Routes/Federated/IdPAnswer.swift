import AuthCore

/// What an answer says about the person as the provider knows them, whatever came of the sign-in.
struct IdPAnswer: Sendable {
  private(set) var members: [String: JSONValue]
  /// The address that the provider gave, to be compared with the account's.
  private let email: String?

  /// Describes what a provider vouched for; tokens are given back as they were sent.
  init(_ identity: VerifiedIdentity, _ parameters: IdPParameters) {
    let subject = identity.key?.subject ?? ""
    let claims = identity.claims
    email = identity.profile.email
    members = Self.common(identity.provider)
    members["federatedId"] = .string(Self.federatedID(identity.provider, subject))
    set("email", identity.profile.email)
    if email != nil { members["emailVerified"] = .bool(identity.emailVerified) }
    set("displayName", identity.profile.displayName)
    set("fullName", identity.profile.displayName)
    set("firstName", claims["given_name"]?.stringValue)
    set("lastName", claims["family_name"]?.stringValue)
    set("photoUrl", identity.profile.photoURL)
    set("screenName", identity.profile.screenName)
    set("language", claims["locale"]?.stringValue)
    set("timeZone", claims["zoneinfo"]?.stringValue)
    set("dateOfBirth", claims["birthdate"]?.stringValue)
    if case .object = claims {
      members["rawUserInfo"] = .string(claims.text)
    } else {
      members["rawUserInfo"] = "{}"
    }
    set("oauthIdToken", parameters["id_token"])
    set("oauthAccessToken", parameters["access_token"])
    set("oauthTokenSecret", parameters["oauth_token_secret"])
    set("nonce", parameters["nonce"])
  }

  /// Describes what the emulator takes for a vendor's word, member by member as it does.
  init(_ identity: EmulatedIdentity, _ parameters: IdPParameters) {
    let (provider, claims) = (identity.provider, identity.claims)
    email = identity.email
    members = Self.common(provider)
    members["federatedId"] = .string(
      provider == .google ? Self.federatedID(provider, identity.subject) : identity.subject)
    set("email", identity.email)
    members["emailVerified"] = .bool(identity.emailVerified)
    members["displayName"] = claims["name"]
    members["fullName"] = claims["name"]
    members["photoUrl"] = claims["picture"]
    members["screenName"] = claims["screen_name"]
    if provider == .google {
      members["firstName"] = claims["given_name"]
      members["lastName"] = claims["family_name"]
      members["rawUserInfo"] = .string(Self.googleInfo(identity).text)
    } else if provider.rawValue.hasPrefix("saml.") {
      set("rawUserInfo", identity.attributes?.text)
    } else {
      members["rawUserInfo"] = .string(JSONValue.object(claims).text)
    }
    set("oauthIdToken", parameters["id_token"])
    set(
      "oauthAccessToken",
      parameters["access_token"] ?? "FirebaseAuthEmulatorFakeAccessToken_\(provider)")
  }

  /// Says of the address what the account says, where it is the account's.
  mutating func follow(_ account: Account) {
    guard let email, let address = try? EmailAddress(email) else { return }
    if address.matches(account.email) {
      members["emailVerified"] = .bool(account.emailVerified)
    }
  }

  private mutating func set(_ name: String, _ text: String?) {
    members[name] = text.map(JSONValue.string)
  }

  private static func common(_ provider: ProviderID) -> [String: JSONValue] {
    // Room for all that are added, which would otherwise be moved several times.
    var members = [String: JSONValue](minimumCapacity: 24)
    members["kind"] = "identitytoolkit#VerifyAssertionResponse"
    members["context"] = ""
    members["providerId"] = .string(provider.rawValue)
    return members
  }

  /// The subject as a URL, where Firebase writes it as one.
  private static func federatedID(_ provider: ProviderID, _ subject: String) -> String {
    switch provider.rawValue {
    case "google.com": "https://accounts.google.com/\(subject)"
    case "facebook.com": "http://facebook.com/\(subject)"
    case "twitter.com": "http://twitter.com/\(subject)"
    case "github.com": "http://github.com/\(subject)"
    default: subject
    }
  }

  /// What Google's older endpoint says of a person.
  private static func googleInfo(_ identity: EmulatedIdentity) -> JSONValue {
    let claims = identity.claims
    var scopes = ["openid", "https://www.googleapis.com/auth/userinfo.profile"]
    if identity.email != nil { scopes.append("https://www.googleapis.com/auth/userinfo.email") }
    var info: [String: JSONValue] = [
      "granted_scopes": .string(scopes.joined(separator: " ")),
      "id": .string(identity.subject), "locale": "en",
    ]
    for name in ["name", "given_name", "family_name", "email", "picture"] {
      info[name] = claims[name]
    }
    info["verified_email"] = claims["email_verified"]
    return .object(info)
  }
}

extension IdPAnswer {
  /// What of it the app's functions may ask to have forwarded.
  var credentials: InboundCredentials {
    var credentials = InboundCredentials()
    credentials.idToken = members["oauthIdToken"]?.stringValue
    credentials.accessToken = members["oauthAccessToken"]?.stringValue
    credentials.tokenSecret = members["oauthTokenSecret"]?.stringValue
    return credentials
  }
}
