-- Slack (slack.com), by "Sign in with Slack".
-- Facts: Slack's documentation "Sign in with Slack" and of the method openid.connect.token.
-- To set up: make a Slack app with the user scopes openid, email and profile; give clientID and
-- clientSecret. `teams` keeps out other workspaces than your own.

local TEAM, USER = '["https://slack.com/team_id"]', '["https://slack.com/user_id"]'

return provider {
  id = "slack.com", name = "Slack", kind = "oidc",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = "https://docs.slack.dev/authentication/sign-in-with-slack/",
  notes = "One person is one identity per workspace: the subject is team and user, since `sub` is the user's ID "
    .. "alone. Slack answers errors with 200 and ok = false; the ID token holds the whole profile, so userinfo "
    .. "is never asked. Administrators of a workspace can write the addresses of its members. An app turns PKCE on "
    .. "at Slack for good; set usesPKCE then. "
    .. "Not confirmed: whether Slack ignores PKCE parameters in apps that have not turned PKCE on.",
  hosts = { "slack.com" },
  settings = {
    teams = setting.list "the IDs of the workspaces (T…) whose members may sign in; empty for all",
    usesPKCE = setting.flag { "true if the Slack app has PKCE turned on", default = false },
  },

  issuer = "https://slack.com",
  discovery = false,
  keys = "https://slack.com/openid/connect/keys",
  authorize = "https://slack.com/openid/connect/authorize",
  token = "https://slack.com/api/openid.connect.token",
  userinfo = false,
  clientAuthentication = "post",
  pkce = "usesPKCE",
  -- Errors come with HTTP 200.
  revoke = function(token, http)
    local answer = http.post("https://slack.com/api/auth.revoke", { bearer = token.value }):json()
    if pick(answer, "ok") ~= true then refuse "Slack did not revoke the access token." end
  end,
  scopes = { "openid", "email", "profile" },

  profile = function(claims, _, _, settings)
    local teams = settings.teams
    if #teams == 0 then return claims end
    for _, team in ipairs(teams) do
      if team == pick(claims, TEAM) then return claims end
    end
    return refuse { "The person is of a workspace that may not sign in here.", step = "token" }
  end,

  identity = {
    subject = function(claims)
      local team, user = text(claims, TEAM), text(claims, USER)
      return team and user and team .. "_" .. user or nil
    end,
    displayName = { "name", text("given_name", "family_name") },
  },
}
