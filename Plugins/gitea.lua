-- Gitea and Forgejo: OpenID Connect with one instance of either.
--
-- Facts: docs.gitea.com, "OAuth2 provider".
-- An admin registers an OAuth 2 application on the instance, takes its client ID and secret, and names the
-- instance without a slash at the end.
return provider {
  id = "gitea", name = "Gitea", kind = "oidc",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = "https://docs.gitea.com/development/oauth2-provider",
  notes = "`email_verified` of Gitea means that the account is active. That is no proof of the address unless the "
    .. "instance has REGISTER_EMAIL_CONFIRM on: only then set emailsConfirmed. Subjects of two instances overlap: "
    .. "configure one provider for each.",
  hosts = { "{server}" },
  settings = {
    server = setting.url { "the instance's address, such as https://git.example.com", required = true },
    emailsConfirmed = setting.flag { "true if the instance confirms e-mail addresses", default = false },
  },
  -- The issuer ends with a slash before Gitea 1.25.0.
  issuer = { "{server}", "{server}/" },
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
