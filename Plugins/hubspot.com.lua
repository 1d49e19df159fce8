-- HubSpot: OAuth 2 by authorization code or access token.
--
-- Facts: HubSpot's specification "OAuth 2026-03" and changelog "v1 OAuth API Deprecation".
-- An admin creates an app with the scope oauth, and takes its client ID and secret. The introspection of a token names
-- its app and is also all that describes the person.

local function introspect(accessToken, http, settings)
  local token = http.post("https://api.hubapi.com/oauth/2026-03/token/introspect", {
    form = {
      client_id = settings.clientID, client_secret = settings.clientSecret,
      token = accessToken, token_type_hint = "access_token",
    },
  }):json()
  if pick(token, "active") ~= true then refuse { "HubSpot says that the token is not active.", step = "token" } end
  return token
end

return provider {
  id = "hubspot.com",
  name = "HubSpot",
  kind = "oauth2",
  documentation = {
    "https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/oauth/working-with-oauth",
    "https://github.com/HubSpot/HubSpot-public-api-spec-collection",
  },
  notes = "The person is a user of a HubSpot account: its number is the claim hub_id. The address has no word on "
    .. "its verification; there is no name and no picture. The older v1 ends on 2027-02-16. "
    .. "Not confirmed: that PKCE is enforced; the form of errors since v1; whether one person has the same user_id "
    .. "in all accounts.",
  hosts = { "api.hubapi.com" },
  authorize = "https://app.hubspot.com/oauth/authorize",
  token = "https://api.hubapi.com/oauth/2026-03/token",
  revoke = "https://api.hubapi.com/oauth/2026-03/token/revoke",
  scopes = { "oauth" },
  app = function(accessToken, http, settings) return pick(introspect(accessToken, http, settings), "client_id") end,
  profile = function(_, http, accessToken, settings) return introspect(accessToken, http, settings) end,
  identity = { subject = "user_id", email = "user" },
}
