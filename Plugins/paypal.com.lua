-- PayPal, by "Log in with PayPal": OAuth 2 by authorization code, with the userinfo of OpenID Connect.
--
-- Facts: PayPal's documentation of the Identity API v1, its discovery document, and Socialite.
-- An admin makes a REST app on developer.paypal.com, turns on "Log in with PayPal" with the return URL and the fields
-- name and e-mail, and takes client ID and secret.
-- No ID tokens are taken: PayPal signs some by HS256. Only codes tell that a person came for this app.
return provider {
  id = "paypal.com",
  name = "PayPal",
  kind = "oauth2",
  documentation = "https://developer.paypal.com/docs/api/identity/v1/",
  notes = "The subject is PayPal's user_id, an address that is particular to the app. verified_account speaks of the "
    .. "account, not of the e-mail address. For the sandbox set domain = \"sandbox.paypal.com\". "
    .. "Not confirmed: that PKCE is enforced; that `sub` is the same as user_id; that the address is always in this "
    .. "answer (other programs read it from an older call).",
  subjectsPerApp = true,
  hosts = { "api-m.{domain}", "api.{domain}" },
  settings = { domain = setting.host { "paypal.com, or sandbox.paypal.com for tests", default = "paypal.com" } },
  authorize = "https://www.{domain}/signin/authorize",
  token = "https://api-m.{domain}/v1/oauth2/token",
  userinfo = { "https://api-m.{domain}/v1/identity/openidconnect/userinfo", query = { schema = "openid" } },
  revoke = "https://api.{domain}/v1/oauth2/revoke",
  scopes = { "openid", "profile", "email" },
  clientAuthentication = "basic",
  identity = {
    subject = "user_id",
    email = "email",
    emailVerified = "email_verified",
    displayName = { "name", text("given_name", "family_name") },
  },
}
