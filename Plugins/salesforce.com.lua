-- Salesforce (salesforce.com): OpenID Connect at one login host.
-- Facts: Salesforce's documentation "OpenID Connect Discovery Endpoint" and "Query for User Information"; the sources
-- of django-allauth, better-auth and kratos.
-- To set up: make a connected app or external client app with the scopes openid, profile and email; give clientID,
-- clientSecret and, for a sandbox (test.salesforce.com), a My Domain or an Experience site, its host as domain.

return provider {
  id = "salesforce.com",
  name = "Salesforce",
  kind = "oidc",
  documentation = "https://help.salesforce.com/s/articleView?id=sf.remoteaccess_using_userinfo_endpoint.htm&type=5",
  notes = "The subject is ORGANIZATION/USER, the end of `sub`, whose host follows the login host. With the default "
    .. "domain, people of every organization may sign in. An organization's admin can write any address. "
    .. "Not confirmed: that users of a sandbox, which is a copy, have the IDs of the original (so both are needed).",
  hosts = { "{domain}" },
  settings = { domain = setting.host { "the host at which people sign in", default = "login.salesforce.com" } },

  issuer = "https://{domain}",
  discovery = false,
  authorize = "https://{domain}/services/oauth2/authorize",
  token = "https://{domain}/services/oauth2/token",
  userinfo = "https://{domain}/services/oauth2/userinfo",
  keys = "https://{domain}/id/keys",
  revoke = "https://{domain}/services/oauth2/revoke",
  clientAuthentication = "post",
  scopes = { "openid", "profile", "email" },

  identity = {
    subject = function(claims) return claims.sub:match "/id/(%w+/%w+)$" end,
  },
}
