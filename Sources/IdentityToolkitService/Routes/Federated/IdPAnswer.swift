import AuthCore
import SessionTokens

/// An answer to what an identity provider gave an app: who the person is to the provider, and what came of it.
struct IdPAnswer: Sendable {
  private let provider: ProviderID
  private let federatedID: String
  /// The address that the provider gave, to be compared with the account's.
  private let email: String?
  private var emailVerified: Bool?
  // Texts of a vendor; what the emulator is told may be anything.
  private var displayName: JSONValue?
  private var firstName: JSONValue?
  private var lastName: JSONValue?
  private var photoURL: JSONValue?
  private var screenName: JSONValue?
  private var language: String?
  private var timeZone: String?
  private var dateOfBirth: String?
  private let rawUserInfo: String?
  private var nonce: String?
  /// What of it the app's functions may ask to have forwarded.
  private(set) var credentials = InboundCredentials()

  /// The account that was entered, or that is in the way.
  var localID: AccountID?
  var tenant: String?
  var isNewUser = false
  var isRecycled = false
  /// The account's address where the provider gave another one.
  var originalEmail: String?
  var session: WireTokens?
  var secondFactor: PendingSecondFactor?
  /// Gives the credential again, once its person has decided.
  var pendingToken: String?
  var needsConfirmation = false
  /// How the account signs in that is in the way.
  var verifiedProviders: [ProviderID]?
  /// The code of what stood in the way, where the app wants the rest with it.
  var errorMessage: String?

  /// Describes what a provider vouched for; tokens are given back as they were sent.
  init(_ identity: VerifiedIdentity, _ parameters: IdPParameters) {
    let (profile, claims) = (identity.profile, identity.claims)
    provider = identity.provider
    federatedID = Self.federatedID(provider, identity.key?.subject ?? "")
    email = profile.email
    emailVerified = email.map { _ in identity.emailVerified }
    displayName = profile.displayName.map(JSONValue.string)
    firstName = claims["given_name"]?.stringValue.map(JSONValue.string)
    lastName = claims["family_name"]?.stringValue.map(JSONValue.string)
    photoURL = profile.photoURL.map(JSONValue.string)
    screenName = profile.screenName.map(JSONValue.string)
    language = claims["locale"]?.stringValue
    timeZone = claims["zoneinfo"]?.stringValue
    dateOfBirth = claims["birthdate"]?.stringValue
    rawUserInfo = if case .object = claims { claims.text } else { "{}" }
    credentials.idToken = parameters["id_token"]
    credentials.accessToken = parameters["access_token"]
    credentials.tokenSecret = parameters["oauth_token_secret"]
    nonce = parameters["nonce"]
  }

  /// Describes what the emulator takes for a vendor's word, member by member as it does.
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

  /// Says of the address what the account says, where it is the account's.
  mutating func follow(_ account: Account) {
    guard let email, let address = try? EmailAddress(email) else { return }
    if address.matches(account.email) { emailVerified = account.emailVerified }
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
}

extension IdPAnswer: JSONRecord {
  func writeMembers(_ writer: inout JSONWriter) {
    writer.member("context", "")
    writer.member("dateOfBirth", dateOfBirth)
    writer.member("displayName", displayName)
    writer.member("email", email)
    writer.member("emailRecycled", isRecycled ? true : nil)
    writer.member("emailVerified", emailVerified)
    writer.member("errorMessage", errorMessage)
    writer.member("expiresIn", quoting: session?.lifetime)
    writer.member("federatedId", federatedID)
    writer.member("firstName", firstName)
    writer.member("fullName", displayName)
    writer.member("idToken", session?.idToken)
    writer.member("isNewUser", isNewUser ? true : nil)
    writer.member("kind", "identitytoolkit#VerifyAssertionResponse")
    writer.member("language", language)
    writer.member("lastName", lastName)
    writer.member("localId", localID?.rawValue)
    writer.member("mergedFrom", session?.mergedFrom)
    writer.member("mfaInfo", secondFactor?.hints)
    writer.member("mfaPendingCredential", secondFactor?.credential)
    writer.member("needConfirmation", needsConfirmation ? true : nil)
    writer.member("nonce", nonce)
    writer.member("oauthAccessToken", credentials.accessToken)
    writer.member("oauthIdToken", credentials.idToken)
    writer.member("oauthTokenSecret", credentials.tokenSecret)
    writer.member("originalEmail", originalEmail)
    writer.member("pendingToken", pendingToken)
    writer.member("photoUrl", photoURL)
    writer.member("providerId", provider.rawValue)
    writer.member("rawUserInfo", rawUserInfo)
    writer.member("refreshToken", session?.refreshToken)
    writer.member("screenName", screenName)
    writer.member("tenantId", tenant)
    writer.member("timeZone", timeZone)
    writer.member(
      "verifiedProvider", verifiedProviders.map { .array($0.map { .string($0.rawValue) }) })
  }
}

/// What Google's older endpoint says of a person.
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
