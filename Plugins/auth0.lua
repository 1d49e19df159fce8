-- Auth0: OpenID Connect with one tenant.
--
-- Facts: auth0.com/docs, "Authorization Code Flow with PKCE", "ID tokens", "User profile claims".
-- An admin creates an application in the tenant, takes its client ID and secret, and gives the tenant's domain
-- (or the custom domain, if that is what sign-ins go through: it is the issuer then). ID tokens have to be signed
-- with RS256, which is the default of new applications.
return provider {
  id = "auth0", name = "Auth0", kind = "oidc",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = {
    "https://auth0.com/docs/api/authentication",
    "https://auth0.com/docs/secure/tokens/id-tokens",
  },
  notes = "The issuer ends with a slash. A subject such as google-oauth2|123 names the connection too; where the "
    .. "tenant links accounts, it is the primary account's. `email_verified` is the word of the connection "
    .. "(an enterprise connection may be told to say yes always). Applications signing with HS256 cannot be used.",
  hosts = { "{domain}" },
  settings = { domain = setting.host { "the tenant's domain, such as example.eu.auth0.com", required = true } },
  issuer = "https://{domain}/",
  discovery = false,
  authorize = "https://{domain}/authorize",
  token = "https://{domain}/oauth/token",
  userinfo = "https://{domain}/userinfo",
  keys = "https://{domain}/.well-known/jwks.json",
  revoke = "https://{domain}/oauth/revoke",
  scopes = { "openid", "profile", "email" },
  clientAuthentication = "post",
  identity = { screenName = { "preferred_username", "nickname" } },
}
