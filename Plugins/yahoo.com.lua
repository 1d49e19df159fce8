-- Yahoo (yahoo.com).
-- Facts: Yahoo's documentation "Sign in with Yahoo: OpenID Connect".
-- To set up: make an app with the OpenID Connect permissions Email and Profile; give clientID and
-- clientSecret.

return provider {
  id = "yahoo.com", name = "Yahoo", kind = "oidc",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = "https://developer.yahoo.com/sign-in-with-yahoo/",
  notes = "Yahoo owns the mailboxes of its own domains only: trust its word on addresses for those. "
    .. "Keys and revocation come from the discovery document. "
    .. "Its ID tokens have at_hash with padding. "
    .. "Not confirmed: which of ES256 and RS256 signs ID tokens (both are taken), whether they hold the e-mail "
    .. "(else userinfo is asked), and whether PKCE is honoured.",
  hosts = { "api.login.yahoo.com" },

  issuer = "https://api.login.yahoo.com",
  authorize = "https://api.login.yahoo.com/oauth2/request_auth",
  token = "https://api.login.yahoo.com/oauth2/get_token",
  userinfo = "https://api.login.yahoo.com/openid/v1/userinfo",
  algorithms = { "ES256", "RS256" },
  clientAuthentication = "basic",
  scopes = { "openid", "email", "profile" },

  identity = {
    displayName = { "name", text("given_name", "family_name"), "nickname", "preferred_username" },
    screenName = { "preferred_username", "nickname" },
  },
}
