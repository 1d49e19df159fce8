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
    // The vendors whose plug-ins ship.
    "amazon.com", "atlassian.com", "auth0", "battle.net", "bitbucket.org", "box.com", "cognito",
    "coinbase.com", "discord.com", "discourse", "dropbox.com", "feishu.cn", "figma.com", "gitea",
    "gitlab.com", "hubspot.com", "huggingface.co", "instagram.com", "kakao.com", "keycloak",
    "larksuite.com", "line.me", "mastodon", "naver.com", "notion.so", "okta", "patreon.com",
    "paypal.com", "qq.com", "reddit.com", "roblox.com", "salesforce.com", "shopify.com",
    "slack.com", "spotify.com", "steam", "strava.com", "telegram", "tiktok.com", "twitch.tv",
    "vk.com", "wechat", "weibo.com", "workos.com", "yandex.com", "zoom.com",
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
