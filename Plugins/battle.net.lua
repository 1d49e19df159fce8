-- Battle.net (battle.net), by OpenID Connect.
-- Facts: the discovery document of oauth.battle.net; the sources of Auth.js, Arctic and django-allauth.
-- To set up: create a client in Blizzard's developer portal, register the redirect URI, and give
-- clientID and clientSecret.

return provider {
  id = "battle.net",
  name = "Battle.net",
  kind = "oidc",
  documentation = {
    "https://oauth.battle.net/.well-known/openid-configuration",
    "https://community.developer.battle.net/documentation/guides/using-oauth",
  },
  notes = "BattleTags can change. There is no e-mail, no picture and no refresh token. China is another system with "
    .. "accounts and numbers of its own, and is not taken. "
    .. "Not confirmed: that ID tokens repeat a nonce (so none is sent), that PKCE is enforced, and the introspection "
    .. "of access tokens (so none is taken).",
  hosts = { "oauth.battle.net" },

  issuer = "https://oauth.battle.net",
  discovery = false,
  authorize = "https://oauth.battle.net/authorize",
  token = "https://oauth.battle.net/token",
  keys = "https://oauth.battle.net/jwks/certs",
  revoke = "https://oauth.battle.net/revoke",
  userinfo = false,
  nonce = false,
  clientAuthentication = "post",
  scopes = { "openid" },

  identity = { displayName = "battle_tag", screenName = "battle_tag" },
}
