-- WorkOS single sign-on: OAuth 2 by authorization code with the identity providers of an app's customers.
--
-- Facts: WorkOS's API reference "SSO", and workos/workos-node.
-- An admin takes the client ID and an API key from the dashboard (the key is the clientSecret), and adds the redirect
-- URI. Each sign-in names where it goes by one parameter: organization, connection or provider.
-- WorkOS cannot tell which app an access token was issued to, so only codes are taken.
return provider {
  id = "workos.com",
  name = "WorkOS",
  kind = "oauth2",
  documentation = "https://workos.com/docs/reference/sso",
  notes = "The app that begins a sign-in gives organization, connection or provider among its parameters. A customer's "
    .. "administrator can write any address, so none is verified. The subject is one profile of one connection. "
    .. "AuthKit has other people and endpoints and is not this provider. Not confirmed: PKCE together with an API key.",
  hosts = { "api.workos.com" },
  settings = {
    organizations = setting.list "the IDs of the organizations (org_…) whose members may sign in; empty for all",
  },
  authorize = "https://api.workos.com/sso/authorize",
  token = "https://api.workos.com/sso/token",
  userinfo = "https://api.workos.com/sso/profile",
  scopes = {},
  identity = { subject = "id", email = "email", displayName = { "name", text("first_name", "last_name") } },

  profile = function(profile, _, _, settings)
    local organizations = settings.organizations
    if type(organizations) ~= "table" or #organizations == 0 then return profile end
    for _, organization in ipairs(organizations) do
      if organization == pick(profile, "organization_id") then return profile end
    end
    return refuse { "The person is of an organization that may not sign in here.", step = "profile" }
  end,
}
