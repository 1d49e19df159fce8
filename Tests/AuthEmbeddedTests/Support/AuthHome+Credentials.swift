import AuthClient
import AuthCore
import AuthTesting
import FakeVendors
import Foundation
import Synchronization
import Testing

/// Credentials, made from a vendor's answer as the app's code makes them.
extension AuthHome {
  static let password = "correct horse"
  static let number = "+15555550100"
  private static let count = Atomic(0)

  /// Returns a Google credential: a signed ID token and an access token, or claims that only the emulator accepts.
  func google(
    _ email: String?, subject: String? = nil, verified: Bool = true, name: String? = nil
  ) throws -> AuthCredential {
    let person = person(
      of: "google", email: email, subject: subject, isVerified: verified, name: name)
    guard let google = vendors?.google else {
      return GoogleAuthProvider.credential(withIDToken: Self.claims(person), accessToken: "x")
    }
    return GoogleAuthProvider.credential(
      withIDToken: try google.idToken(for: person, claims: ["jti": .string(Self.serial())]),
      accessToken: google.accessToken(for: person))
  }

  /// Returns a Facebook credential: an access token, or claims that only the emulator accepts.
  func facebook(
    _ email: String?, subject: String? = nil, name: String? = nil
  ) -> AuthCredential {
    let person = person(
      of: "facebook", email: email, subject: subject, isVerified: false, name: name)
    return FacebookAuthProvider.credential(
      withAccessToken: vendors?.facebook.accessToken(
        for: person, scopes: ["email", "public_profile"])
        ?? Self.claims(person))
  }

  /// Returns a credential of a company's OpenID provider.
  func work(
    _ email: String?, subject: String? = nil, verified: Bool = true, nonce: String? = nil
  ) throws -> OAuthCredential {
    let person = person(of: "work", email: email, subject: subject, isVerified: verified, name: nil)
    let own = "nonce \(Self.serial())"
    let token = try vendors?.oidc.idToken(for: person, nonce: own) ?? Self.claims(person)
    return OAuthProvider.credential(
      providerID: .custom("oidc.work"), idToken: token, rawNonce: nonce ?? own)
  }

  func emailAndPassword(
    _ email: String, _ password: String = password
  ) -> AuthCredential {
    EmailAuthProvider.credential(withEmail: email, password: password)
  }

  /// Returns a credential of a link that was sent to an address.
  func emailLink(_ email: String, of auth: Auth? = nil) async throws -> AuthCredential {
    EmailAuthProvider.credential(withEmail: email, link: try await sentLink(email, of: auth))
  }

  /// Sends a sign-in link and returns it.
  func sentLink(_ email: String, of auth: Auth? = nil) async throws -> String {
    try await (auth ?? self.auth).sendSignInLink(toEmail: email, actionCodeSettings: .inApp)
    return try lastMessage(to: email)
  }

  /// Returns a credential of a code that was sent to a phone.
  func phone(
    _ number: String = number, of auth: Auth? = nil
  ) async throws -> PhoneAuthCredential {
    let provider = PhoneAuthProvider.provider(auth: auth ?? self.auth)
    let id = try await provider.verifyPhoneNumber(number)
    return provider.credential(
      withVerificationID: id, verificationCode: try lastMessage(to: number))
  }

  /// Returns the newest code or link that was sent to a recipient.
  func lastMessage(to recipient: String) throws -> String {
    try #require(messages.last(to: recipient), "Nothing went to \(recipient).").proof.reveal()
  }

  /// Returns the code in the newest link that was sent to an address.
  func lastCode(to email: String) throws -> String {
    try #require(ActionCodeURL(link: try lastMessage(to: email))?.code)
  }

  /// Returns a unique value, because a vendor never issues a token twice and a server never accepts one twice.
  private static func serial() -> String { "\(count.add(1, ordering: .relaxed).newValue)" }

  private func person(
    of vendor: String, email: String?, subject: String?, isVerified: Bool, name: String?
  ) -> FakePerson {
    FakePerson(
      subject: subject ?? "\(vendor)-\(email ?? "nobody")", email: email, emailVerified: isVerified,
      name: name)
  }

  private static func claims(_ person: FakePerson) -> String {
    var claims: [String: JSONValue] = ["sub": .string(person.subject)]
    claims["email"] = person.email.map(JSONValue.string)
    claims["email_verified"] = person.emailVerified.map(JSONValue.bool)
    claims["name"] = person.name.map(JSONValue.string)
    return JSONValue.object(claims).text
  }
}

extension ActionCodeSettings {
  /// Settings for a link that opens the app.
  static var inApp: ActionCodeSettings {
    let settings = ActionCodeSettings()
    settings.url = URL(string: "https://app.example/start")
    settings.handleCodeInApp = true
    return settings
  }
}
