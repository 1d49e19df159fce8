-- Gitea and Forgejo: OpenID Connect with one instance of either.
--
-- Facts: docs.gitea.com, "OAuth2 provider".
-- An admin registers an OAuth 2 application on the instance, takes its client ID and secret, and names the
-- instance twice: `server` without a slash at the end, `issuer` exactly as SERVER/.well-known/openid-configuration
-- spells it (some releases end it with a slash).
return provider {
  id = "gitea",
  name = "Gitea",
  kind = "oidc",
  documentation = "https://docs.gitea.com/development/oauth2-provider",
  notes = "`email_verified` of Gitea means that the account is active. That is no proof of the address unless the "
    .. "instance has REGISTER_EMAIL_CONFIRM on: only then set emailsConfirmed. Subjects of two instances overlap: "
    .. "configure one provider for each. Not confirmed: from which release on the issuer has no slash at its end.",
  hosts = { "{server}" },
  settings = {
    server = setting.url { "the instance's address, such as https://git.example.com", required = true },
    issuer = setting.url { "the issuer as the instance's discovery document spells it", required = true },
    emailsConfirmed = setting.flag { "true if the instance confirms e-mail addresses", default = false },
  },
  issuer = "{issuer}",
  discovery = false,
  authorize = "{server}/login/oauth/authorize",
  token = "{server}/login/oauth/access_token",
  userinfo = "{server}/login/oauth/userinfo",
  keys = "{server}/login/oauth/keys",
  algorithms = { "RS256", "ES256", "EdDSA" },
  scopes = { "openid", "profile", "email" },
  clientAuthentication = "post",

  profile = function(claims, _, _, settings)
    if settings.emailsConfirmed ~= true then claims.email_verified = nil end
    return claims
  end,
}
