public import AuthClient
import AuthCore
import FakeVendors
import Foundation

/// People with accounts at vendors, and their credentials.
///
/// A person without a subject has one made of the address, so that the same address is the same person.
extension AuthTestKit {
  /// Returns the credential that Google's SDK would give the app for a person.
  ///
  /// Each call gives a new one, as Google does. Google has authority over addresses of gmail.com; others are verified
  /// only if the project trusts it (`trust`).
  public func google(
    _ email: String?, subject: String? = nil, verified: Bool = true, name: String? = nil
  ) throws -> AuthCredential {
    let person = person(of: "google", email, subject: subject, verified: verified, name: name)
    return GoogleAuthProvider.credential(
      withIDToken: try googlePlayer.idToken(
        for: person, claims: ["jti": .string(UUID().uuidString)]),
      accessToken: googlePlayer.accessToken(for: person))
  }

  /// Returns the credential that Facebook's SDK would give the app for a person.
  public func facebook(
    _ email: String?, subject: String? = nil, name: String? = nil
  ) -> AuthCredential {
    let person = person(of: "facebook", email, subject: subject, verified: false, name: name)
    return FacebookAuthProvider.credential(
      withAccessToken: facebookPlayer.accessToken(
        for: person, scopes: ["email", "public_profile"]))
  }

  /// Returns a credential of the OpenID provider `oidc.work` for a person.
  public func openID(
    _ email: String?, subject: String? = nil, verified: Bool = true, name: String? = nil
  ) throws -> AuthCredential {
    let nonce = UUID().uuidString
    return OAuthProvider.credential(
      providerID: .custom(Self.work.rawValue),
      idToken: try openIDPlayer.idToken(
        for: person(of: "work", email, subject: subject, verified: verified, name: name),
        nonce: nonce),
      rawNonce: nonce)
  }

  private static let work = ProviderID("oidc.work")

  /// Registers the app with the vendors, and the vendors with the project.
  func registerProviders() async throws {
    _ = try await graph.configure(
      .google, values: googlePlayer.providerValues, secrets: googlePlayer.providerSecrets,
      by: admin)
    _ = try await graph.configure(
      ProviderID("facebook.com"), values: facebookPlayer.providerValues,
      secrets: facebookPlayer.providerSecrets, by: admin)
    _ = try await graph.configure(
      Self.work, values: openIDPlayer.providerValues, secrets: openIDPlayer.providerSecrets,
      by: admin)
  }

  private func person(
    of vendor: String, _ email: String?, subject: String?, verified: Bool, name: String?
  ) -> FakePerson {
    FakePerson(
      subject: subject ?? "\(vendor)-\(email ?? "nobody")", email: email, emailVerified: verified,
      name: name)
  }
}
