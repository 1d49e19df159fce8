-- X, formerly Twitter (twitter.com), by OAuth 2.
-- Facts: X's documentation "OAuth 2.0 authorization code flow with PKCE" and "GET /2/users/me".
-- To set up: make an app with user authentication (OAuth 2.0); give clientID and, for a confidential
-- client, clientSecret.

return provider {
  id = "twitter.com",
  name = "X (Twitter)",
  kind = "oauth2",
  documentation = {
    "https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code",
    "https://docs.x.com/x-api/users/user-lookup-me",
  },
  notes = "Only authorization codes: X has no call that tells for which app an access token was made. Access "
    .. "token and secret of OAuth 1.0a, which older mobile SDKs hand out, are not taken. No e-mail comes. "
    .. "Not confirmed: the field confirmed_email with the scope users.email, which is therefore not asked.",
  hosts = { "api.x.com" },

  authorize = "https://x.com/i/oauth2/authorize",
  token = "https://api.x.com/2/oauth2/token",
  userinfo = { "https://api.x.com/2/users/me", query = { ["user.fields"] = "profile_image_url" } },
  revoke = "https://api.x.com/2/oauth2/revoke",
  scopes = { "users.read", "tweet.read" },
  clientAuthentication = "basic",

  -- X may answer 200 with `errors` and without `data`: there is no subject then, which refuses it.
  identity = {
    subject = "data.id",
    displayName = { "data.name", "data.username" },
    photoURL = "data.profile_image_url",
    screenName = "data.username",
  },
}
