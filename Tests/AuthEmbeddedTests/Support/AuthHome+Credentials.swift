import AuthClient
import AuthCore
import AuthTesting
import FakeVendors
import Foundation
import Synchronization
import Testing

/// What people show to sign in, as the app's code makes it of what a vendor gave.
extension AuthHome {
  static let password = "correct horse"
  static let number = "+15555550100"
  private static let count = Atomic(0)

  /// A Google account: a signed ID token and an access token, or claims that only the emulator takes.
  func google(
    _ email: String?, subject: String? = nil, verified: Bool = true, name: String? = nil
  ) throws -> AuthClient.AuthCredential {
    let person = person("google", email, subject, verified, name)
    guard let google = vendors?.google else {
      return GoogleAuthProvider.credential(withIDToken: Self.claims(person), accessToken: "x")
    }
    return GoogleAuthProvider.credential(
      withIDToken: try google.idToken(for: person, claims: ["jti": .string(Self.serial())]),
      accessToken: google.accessToken(for: person))
  }

  /// A Facebook account: an access token, or claims that only the emulator takes.
  func facebook(
    _ email: String?, subject: String? = nil, name: String? = nil
  ) -> AuthClient.AuthCredential {
    let person = person("facebook", email, subject, false, name)
    return FacebookAuthProvider.credential(
      withAccessToken: vendors?.facebook.accessToken(
        for: person, scopes: ["email", "public_profile"])
        ?? Self.claims(person))
  }

  /// Somebody of a company that runs an OpenID provider.
  func work(
    _ email: String?, subject: String? = nil, verified: Bool = true, nonce: String? = nil
  ) throws -> OAuthCredential {
    let person = person("work", email, subject, verified, nil)
    let own = "nonce \(Self.serial())"
    let token = try vendors?.oidc.idToken(for: person, nonce: own) ?? Self.claims(person)
    return OAuthProvider.credential(
      providerID: .custom("oidc.work"), idToken: token, rawNonce: nonce ?? own)
  }

  func emailAndPassword(
    _ email: String, _ password: String = password
  ) -> AuthClient.AuthCredential {
    EmailAuthProvider.credential(withEmail: email, password: password)
  }

  /// A link that was sent to an address, as the app got it.
  func emailLink(_ email: String, of auth: Auth? = nil) async throws -> AuthClient.AuthCredential {
    EmailAuthProvider.credential(withEmail: email, link: try await sentLink(email, of: auth))
  }

  /// The link itself.
  func sentLink(_ email: String, of auth: Auth? = nil) async throws -> String {
    try await (auth ?? self.auth).sendSignInLink(toEmail: email, actionCodeSettings: .inApp)
    return try lastMessage(to: email)
  }

  /// The code that was sent to a phone, with what names it.
  func phone(
    _ number: String = number, of auth: Auth? = nil
  ) async throws -> PhoneAuthCredential {
    let provider = PhoneAuthProvider.provider(auth: auth ?? self.auth)
    let id = try await provider.verifyPhoneNumber(number)
    return provider.credential(
      withVerificationID: id, verificationCode: try lastMessage(to: number))
  }

  /// The newest code or link that went to somebody.
  func lastMessage(to recipient: String) throws -> String {
    try #require(messages.last(to: recipient), "Nothing went to \(recipient).").proof.reveal()
  }

  /// The newest code of a link that went to somebody.
  func lastCode(to email: String) throws -> String {
    try #require(ActionCodeURL(link: try lastMessage(to: email))?.code)
  }

  /// What no other token has: a vendor makes none twice, and a server takes none twice.
  private static func serial() -> String { "\(count.add(1, ordering: .relaxed).newValue)" }

  private func person(
    _ vendor: String, _ email: String?, _ subject: String?, _ verified: Bool, _ name: String?
  ) -> FakePerson {
    FakePerson(
      subject: subject ?? "\(vendor)-\(email ?? "nobody")", email: email, emailVerified: verified,
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
  /// The app takes the link itself.
  static var inApp: ActionCodeSettings {
    let settings = ActionCodeSettings()
    settings.url = URL(string: "https://app.example/start")
    settings.handleCodeInApp = true
    return settings
  }
}
