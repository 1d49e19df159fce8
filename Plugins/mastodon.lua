-- Mastodon: OAuth 2 by authorization code with one instance.
--
-- Facts: docs.joinmastodon.org, "OAuth" and the methods apps, oauth and accounts (mastodon/documentation).
-- An admin registers an app on the instance (Preferences, Development) with the scope profile and the redirect URI,
-- takes its client key and secret, and names the instance.
-- An instance names the app of an access token by its title only, so only codes are taken.
return provider {
  id = "mastodon",
  name = "Mastodon",
  kind = "oauth2",
  documentation = {
    "https://docs.joinmastodon.org/methods/oauth/", "https://docs.joinmastodon.org/methods/accounts/",
  },
  notes = "For one instance, which an admin names: identifiers of two instances overlap. There is no e-mail address "
    .. "and no refresh token. Releases before 4.3 have no scope profile: set scopes to read:accounts. They also delete "
    .. "apps that nobody uses.",
  hosts = { "{server}" },
  settings = { server = setting.url { "the instance's address, such as https://social.example.com", required = true } },
  authorize = "{server}/oauth/authorize",
  token = "{server}/oauth/token",
  userinfo = "{server}/api/v1/accounts/verify_credentials",
  revoke = "{server}/oauth/revoke",
  scopes = { "profile" },
  identity = {
    subject = "id",
    displayName = { "display_name", "username" },
    photoURL = { "avatar_static", "avatar" },
    screenName = "username",
  },
}
