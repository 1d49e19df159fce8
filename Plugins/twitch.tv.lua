-- Twitch (twitch.tv).
-- Facts: Twitch's documentation "Getting tokens using OIDC".
-- To set up: register an application; give clientID and clientSecret.

return provider {
  id = "twitch.tv",
  name = "Twitch",
  kind = "oidc",
  documentation = {
    "https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/",
    "https://dev.twitch.tv/docs/authentication/revoke-tokens/",
  },
  notes = "The e-mail comes only with the scope user:read:email and where the claims are asked for by name, as "
    .. "below. preferred_username is the shown name and can change. The token endpoint gives scope as a list "
    .. "where OAuth 2 has a text. "
    .. "Not confirmed: PKCE (not documented; unknown parameters are believed to be ignored).",
  hosts = { "id.twitch.tv" },

  issuer = "https://id.twitch.tv/oauth2",
  discovery = false,
  keys = "https://id.twitch.tv/oauth2/keys",
  authorize = "https://id.twitch.tv/oauth2/authorize",
  token = "https://id.twitch.tv/oauth2/token",
  userinfo = "https://id.twitch.tv/oauth2/userinfo",
  revoke = "https://id.twitch.tv/oauth2/revoke",
  clientAuthentication = "post",
  scopes = { "openid", "user:read:email" },
  parameters = {
    claims = '{"id_token":{"email":null,"email_verified":null,"picture":null,"preferred_username":null},'
      .. '"userinfo":{"email":null,"email_verified":null,"picture":null,"preferred_username":null}}',
  },

  identity = {
    displayName = "preferred_username",
    screenName = "preferred_username",
  },
}
