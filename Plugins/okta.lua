-- Okta: OpenID Connect with one authorization server of an organization.
--
-- Facts: developer.okta.com, "OpenID Connect & OAuth 2.0 API".
-- An admin creates a web app integration, takes its client ID and secret, and names the authorization server:
-- the organization's own   issuer = "https://ORG"                 endpoints = "https://ORG/oauth2/v1"
-- or a custom one          issuer = "https://ORG/oauth2/default"  endpoints = "https://ORG/oauth2/default/v1"
return provider {
  id = "okta", name = "Okta", kind = "oidc",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = "https://developer.okta.com/docs/api/openapi/okta-oauth/guides/overview/",
  notes = "An ID token that comes with an access token is thin: address and name, and not a word on the address, which "
    .. "userinfo has. The subject is Okta's user ID; preferred_username is an address that changes. `email_verified` "
    .. "is the organization's word: its admins may set any address.",
  hosts = { "{issuer}" },
  settings = {
    issuer = setting.url { "the authorization server's issuer", required = true },
    endpoints = setting.url { "the address of its endpoints, ending with /v1", required = true },
  },
  issuer = "{issuer}",
  discovery = false,
  authorize = "{endpoints}/authorize",
  token = "{endpoints}/token",
  userinfo = "{endpoints}/userinfo",
  keys = "{endpoints}/keys",
  revoke = "{endpoints}/revoke",
  scopes = { "openid", "profile", "email" },
  clientAuthentication = "basic",
}
