-- Roblox: OpenID Connect.
--
-- Facts: Roblox's documentation "OAuth 2.0 overview" and "OAuth 2.0 authentication" (Roblox/creator-docs).
-- An admin registers an OAuth 2.0 app on create.roblox.com with the scopes openid and profile, and takes its client
-- ID and secret.
return provider {
  id = "roblox.com",
  name = "Roblox",
  kind = "oidc",
  documentation = "https://create.roblox.com/docs/cloud/auth/oauth2-reference",
  notes = "There is no e-mail address: the scope email is for Roblox's own apps. Names can change. A code is valid for "
    .. "one minute, and a refresh token can be used once. Not confirmed: that ID tokens repeat the nonce.",
  hosts = { "apis.roblox.com" },
  issuer = "https://apis.roblox.com/oauth/",
  discovery = false,
  authorize = "https://apis.roblox.com/oauth/v1/authorize",
  token = "https://apis.roblox.com/oauth/v1/token",
  userinfo = "https://apis.roblox.com/oauth/v1/userinfo",
  keys = "https://apis.roblox.com/oauth/v1/certs",
  revoke = "https://apis.roblox.com/oauth/v1/token/revoke",
  algorithms = { "ES256" },
  scopes = { "openid", "profile" },
  clientAuthentication = "post",
}
