-- X, formerly Twitter (twitter.com), by OAuth 2.
-- Facts: X's documentation "OAuth 2.0 authorization code flow with PKCE" and "GET /2/users/me".
-- To set up: make an app with user authentication (OAuth 2.0) that requests the e-mail from users; give
-- clientID and, for a confidential client, clientSecret.

return provider {
  id = "twitter.com", name = "X (Twitter)", kind = "oauth2",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = {
    "https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code",
    "https://docs.x.com/x-api/users/user-lookup-me",
  },
  notes = "Only authorization codes: X has no call that tells for which app an access token was made. Access "
    .. "token and secret of OAuth 1.0a, which older mobile SDKs hand out, are not taken. X gives confirmed "
    .. "addresses alone, but no word beside them, so they stay unverified. "
    .. "Not confirmed: what X answers to an app without the permission for e-mails; then set `scopes` without it.",
  hosts = { "api.x.com" },

  authorize = "https://x.com/i/oauth2/authorize",
  token = "https://api.x.com/2/oauth2/token",
  userinfo = { "https://api.x.com/2/users/me", query = { ["user.fields"] = "profile_image_url,confirmed_email" } },
  revoke = "https://api.x.com/2/oauth2/revoke",
  scopes = { "users.read", "tweet.read", "users.email" },
  clientAuthentication = "basic",

  -- X may answer 200 with `errors` and without `data`: there is no subject then, which refuses it.
  identity = {
    subject = "data.id",
    email = "data.confirmed_email",
    displayName = { "data.name", "data.username" },
    photoURL = "data.profile_image_url",
    screenName = "data.username",
  },
}
