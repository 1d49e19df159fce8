public import Foundation

/// A factory of credentials for Google accounts.
#if canImport(ObjectiveC)
  @objc(FIRGoogleAuthProvider)
#endif
public final class GoogleAuthProvider: NSObject {
  /// The provider ID: `google.com`.
  public static let id = "google.com"

  /// Makes a credential of the tokens from Google's sign-in.
  ///
  /// The server verifies the ID token. The access token is optional and may be empty.
  public static func credential(
    withIDToken idToken: String, accessToken: String
  ) -> AuthCredential {
    OAuthCredential(
      provider: id, values: FederatedValues(idToken: idToken, accessToken: accessToken))
  }
}

/// A factory of credentials for Facebook accounts.
#if canImport(ObjectiveC)
  @objc(FIRFacebookAuthProvider)
#endif
public final class FacebookAuthProvider: NSObject {
  /// The provider ID: `facebook.com`.
  public static let id = "facebook.com"

  /// Makes a credential of the access token from Facebook's sign-in.
  ///
  /// For Limited Login use ``OAuthProvider/credential(providerID:idToken:rawNonce:accessToken:)`` with
  /// ``AuthProviderID/facebook``.
  public static func credential(withAccessToken accessToken: String) -> AuthCredential {
    OAuthCredential(provider: id, values: FederatedValues(accessToken: accessToken))
  }
}

/// A factory of credentials for Twitter accounts.
#if canImport(ObjectiveC)
  @objc(FIRTwitterAuthProvider)
#endif
public final class TwitterAuthProvider: NSObject {
  /// The provider ID: `twitter.com`.
  public static let id = "twitter.com"

  /// Makes a credential of an OAuth 1.0 access token and its secret.
  public static func credential(withToken token: String, secret: String) -> AuthCredential {
    OAuthCredential(provider: id, values: FederatedValues(accessToken: token, secret: secret))
  }
}

/// A factory of credentials for GitHub accounts.
#if canImport(ObjectiveC)
  @objc(FIRGitHubAuthProvider)
#endif
public final class GitHubAuthProvider: NSObject {
  /// The provider ID: `github.com`.
  public static let id = "github.com"

  /// Makes a credential of an access token.
  public static func credential(withToken token: String) -> AuthCredential {
    OAuthCredential(provider: id, values: FederatedValues(accessToken: token))
  }
}

/// A factory of credentials for Google Play Games.
#if canImport(ObjectiveC)
  @objc(FIRPlayGamesAuthProvider)
#endif
public final class PlayGamesAuthProvider: NSObject {
  /// The provider ID: `playgames.google.com`.
  public static let id = "playgames.google.com"

  /// Makes a credential of the server auth code that the Play Games SDK gave the app.
  ///
  /// Firebase's SDK for Android has the same function.
  public static func credential(serverAuthCode: String) -> AuthCredential {
    AuthCredential(provider: id, fields: ["code": serverAuthCode])
  }
}
