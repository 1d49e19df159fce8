public import Foundation

/// Makes credentials of Google accounts.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRGoogleAuthProvider)
#endif
public final class GoogleAuthProvider: NSObject {
  /// The provider ID: `google.com`.
  public static let id = "google.com"

  /// Makes a credential of the tokens that Google's sign-in gave the app.
  ///
  /// The server verifies the ID token; the access token is optional to it and may be empty.
  public static func credential(
    withIDToken idToken: String, accessToken: String
  ) -> AuthCredential {
    OAuthCredential(
      provider: id, values: FederatedValues(idToken: idToken, accessToken: accessToken))
  }
}

/// Makes credentials of Facebook accounts.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRFacebookAuthProvider)
#endif
public final class FacebookAuthProvider: NSObject {
  /// The provider ID: `facebook.com`.
  public static let id = "facebook.com"

  /// Makes a credential of the access token that Facebook's sign-in gave the app.
  ///
  /// For Limited Login take ``OAuthProvider/credential(providerID:idToken:rawNonce:accessToken:)`` with
  /// ``AuthProviderID/facebook``.
  public static func credential(withAccessToken accessToken: String) -> AuthCredential {
    OAuthCredential(provider: id, values: FederatedValues(accessToken: accessToken))
  }
}

/// Makes credentials of Twitter accounts.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRTwitterAuthProvider)
#endif
public final class TwitterAuthProvider: NSObject {
  /// The provider ID: `twitter.com`.
  public static let id = "twitter.com"

  /// Makes a credential of an OAuth 1.0 access token and its secret.
  public static func credential(withToken token: String, secret: String) -> AuthCredential {
    OAuthCredential(provider: id, values: FederatedValues(accessToken: token, secret: secret))
  }
}

/// Makes credentials of GitHub accounts.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRGitHubAuthProvider)
#endif
public final class GitHubAuthProvider: NSObject {
  /// The provider ID: `github.com`.
  public static let id = "github.com"

  /// Makes a credential of an access token.
  public static func credential(withToken token: String) -> AuthCredential {
    OAuthCredential(provider: id, values: FederatedValues(accessToken: token))
  }
}
