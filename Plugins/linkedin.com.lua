-- LinkedIn (linkedin.com), by "Sign In with LinkedIn using OpenID Connect".
-- Facts: LinkedIn's documentation of that product and of token introspection.
-- To set up: add the product to an app; give clientID and clientSecret. The secret is needed for access
-- tokens too: only with it does LinkedIn tell whose token it is.
-- OAuth 2 with userinfo rather than OpenID Connect: LinkedIn's ID tokens carry no nonce, and its ordinary
-- web flow knows no PKCE. The subject is the same.

local function app(accessToken, http, settings)
  local answer = http.post("https://www.linkedin.com/oauth/v2/introspectToken", {
    form = { token = accessToken, client_id = settings.clientID, client_secret = settings.clientSecret },
  }):json()
  if pick(answer, "active") ~= true then
    return refuse { "LinkedIn says that the access token is not active.", field = "accessToken", step = "token" }
  end
  return pick(answer, "client_id")
end

return provider {
  id = "linkedin.com", name = "LinkedIn", kind = "oauth2",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = {
    "https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2",
    "https://learn.microsoft.com/linkedin/shared/authentication/token-introspection",
  },
  notes = "The subject is particular to the app. E-mail and its verification are optional: members may have "
    .. "none confirmed. The older calls /v2/me and emailAddress are closed to new apps. "
    .. "email_verified is a boolean in userinfo, and a text in ID tokens. The web flow knows no PKCE.",
  subjectsPerApp = true,
  hosts = { "www.linkedin.com", "api.linkedin.com" },

  authorize = "https://www.linkedin.com/oauth/v2/authorization",
  token = "https://www.linkedin.com/oauth/v2/accessToken",
  userinfo = "https://api.linkedin.com/v2/userinfo",
  revoke = "https://www.linkedin.com/oauth/v2/revoke",
  scopes = { "openid", "profile", "email" },
  pkce = false,
  app = app,

  identity = {
    subject = "sub",
    email = "email",
    emailVerified = { "email_verified", is = { true, "true" } },
    displayName = { "name", text("given_name", "family_name") },
    photoURL = "picture",
  },
}
