import AuthCore
import SessionTokens

/// The answer to a sign-in with an identity provider: the person's identity there, and the outcome.
struct IdPAnswer: Sendable {
  let provider: ProviderID
  let federatedID: String
  /// The provider's address, to be compared with the account's.
  let email: String?
  var emailVerified: Bool?
  // A vendor's texts, which are any JSON if the vendor is emulated.
  var displayName: JSONValue?
  var firstName: JSONValue?
  var lastName: JSONValue?
  var photoURL: JSONValue?
  var screenName: JSONValue?
  var language: String?
  var timeZone: String?
  var dateOfBirth: String?
  let rawUserInfo: String?
  var nonce: String?
  /// The vendor's credentials that the app's functions may have forwarded.
  var credentials = InboundCredentials()

  /// The account that was signed in to, or that is in conflict.
  var localID: AccountID?
  var tenant: String?
  var isNewUser = false
  var isRecycled = false
  /// The account's address if it differs from the provider's.
  var originalEmail: String?
  var session: WireTokens?
  var secondFactor: PendingSecondFactor?
  /// A token for the credential, with which the app continues after the person's decision.
  var pendingToken: String?
  var needsConfirmation = false
  /// The providers of the account in conflict.
  var verifiedProviders: [ProviderID]?
  /// The code of a conflict, if the app asked for it as part of the answer.
  var errorMessage: String?

  /// Describes a verified identity.
  ///
  /// Tokens are returned as they were sent, or as the vendor gave them for a code.
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
    rawUserInfo = Self.userInfo(claims, provider)
    credentials = identity.vendorTokens ?? credentials
    credentials.idToken = parameters["id_token"] ?? credentials.idToken
    credentials.accessToken = parameters["access_token"] ?? credentials.accessToken
    credentials.tokenSecret = parameters["oauth_token_secret"] ?? credentials.tokenSecret
    nonce = parameters["nonce"]
  }

  /// Copies `emailVerified` from the account if the provider's address is the account's own.
  mutating func follow(_ account: Account) {
    guard let email, let address = try? EmailAddress(email) else { return }
    if address.matches(account.email) { emailVerified = account.emailVerified }
  }

  /// Returns the subject as a URL if Firebase writes it as one.
  static func federatedID(_ provider: ProviderID, _ subject: String) -> String {
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
