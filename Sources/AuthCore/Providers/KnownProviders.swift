/// The providers that an admin may assert or an import may bring without a plug-in that verifies them here.
///
/// A misspelled ID would make an identity that can never sign in. So an ID has to be registered, in this list, or an
/// OIDC or SAML name.
public enum KnownProviders {
  static let vendors: Set<String> = [
    // The providers that Firebase's import accepts.
    "google.com", "facebook.com", "twitter.com", "github.com", "apple.com", "microsoft.com",
    "gc.apple.com", "playgames.google.com", "linkedin.com", "yahoo.com", "phone", "password",
    "passkey",
    // Vendors with a sign-in of their own.
    "gitlab.com", "discord.com", "slack.com", "twitch.tv", "spotify.com", "line.me", "kakao.com",
    "naver.com", "wechat", "vk.com", "yandex.com", "reddit.com", "bitbucket.org", "gitea",
    "keycloak", "auth0", "okta", "cognito", "steam", "telegram",
  ]

  /// Checks a provider ID that no credential proves, or throws `invalid-provider-id`.
  public static func check(
    _ id: ProviderID, registered: [ProviderID]
  ) throws(AuthError) {
    let name = id.rawValue
    let isFederation = ["oidc.", "saml."].contains { name.hasPrefix($0) && name.count > $0.count }
    if isFederation || vendors.contains(name) || registered.contains(id) { return }
    throw AuthError(
      .invalidProviderID, "There is no provider \"\(name)\".", field: "providerID",
      remedy: suggestion(for: name, among: vendors.union(registered.map(\.rawValue))))
  }
}
