public import Foundation

/// A factory of credentials for any provider that uses OAuth or OpenID Connect.
#if canImport(ObjectiveC)
  @objc(FIROAuthProvider)
#endif
public final class OAuthProvider: NSObject, Sendable {
  /// Firebase's name of this kind of provider: `OAuth`.
  public static let id = "OAuth"

  /// The provider's ID.
  public let providerID: String
  let auth: Auth
  private let options = Locked(Options())

  private struct Options {
    var scopes: [String]?
    var customParameters: [String: String]?
  }

  /// The scopes to request from the provider.
  public var scopes: [String]? {
    get { options.withLock(\.scopes) }
    set { options.withLock { $0.scopes = newValue } }
  }

  /// Further parameters of the provider's page.
  public var customParameters: [String: String]? {
    get { options.withLock(\.customParameters) }
    set { options.withLock { $0.customParameters = newValue } }
  }

  /// Makes a factory for a provider's ID, such as `github.com` or `oidc.example`.
  public init(providerID: String, auth: Auth = .auth()) {
    self.providerID = providerID
    self.auth = auth
  }

  /// Makes a factory for a provider.
  public convenience init(providerID: AuthProviderID, auth: Auth = .auth()) {
    self.init(providerID: providerID.rawValue, auth: auth)
  }

  /// Makes a factory for a provider.
  public static func provider(
    providerID: AuthProviderID, auth: Auth = .auth()
  ) -> OAuthProvider {
    OAuthProvider(providerID: providerID, auth: auth)
  }
}

extension OAuthProvider {
  /// Makes a credential of an ID token that was requested without a nonce.
  public static func credential(
    providerID: AuthProviderID, idToken: String, accessToken: String? = nil
  ) -> OAuthCredential {
    OAuthCredential(
      provider: providerID.rawValue,
      values: FederatedValues(idToken: idToken, accessToken: accessToken))
  }

  /// Makes a credential of an ID token and the raw nonce.
  ///
  /// The provider was given the nonce's SHA-256.
  public static func credential(
    providerID: AuthProviderID, idToken: String, rawNonce: String, accessToken: String? = nil
  ) -> OAuthCredential {
    OAuthCredential(
      provider: providerID.rawValue,
      values: FederatedValues(idToken: idToken, accessToken: accessToken, rawNonce: rawNonce))
  }

  /// Makes a credential of an access token.
  public static func credential(
    providerID: AuthProviderID, accessToken: String
  ) -> OAuthCredential {
    OAuthCredential(
      provider: providerID.rawValue, values: FederatedValues(accessToken: accessToken))
  }

  /// Makes a credential of the result of Sign in with Apple.
  ///
  /// Apple sends the name only at the first sign-in. Pass it on then, and it becomes a new account's display name.
  public static func appleCredential(
    withIDToken idToken: String, rawNonce: String?, fullName: PersonNameComponents?
  ) -> OAuthCredential {
    var values = FederatedValues(idToken: idToken, rawNonce: rawNonce)
    values.givenName = fullName?.givenName
    values.familyName = fullName?.familyName
    return OAuthCredential(provider: AuthProviderID.apple.rawValue, values: values)
  }
}
