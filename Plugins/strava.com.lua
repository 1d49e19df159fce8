-- Strava (strava.com).
-- Facts: Strava's documentation "Authentication" and "Get Authenticated Athlete"; the sources of django-allauth,
-- Auth.js and social-core.
-- To set up: register an API application, give clientID and clientSecret, and its callback domain.

return provider {
  id = "strava.com",
  name = "Strava",
  kind = "oauth2",
  documentation = "https://developers.strava.com/docs/authentication/",
  notes = "Only authorization codes: Strava has no call that tells for which app an access token was made. There is no "
    .. "e-mail since 2019. People can untick scopes. Strava replaces refresh tokens, "
    .. "and revokes by an access token only. Not confirmed: that PKCE is enforced.",
  hosts = { "www.strava.com" },

  authorize = "https://www.strava.com/oauth/authorize",
  token = "https://www.strava.com/oauth/token",
  userinfo = "https://www.strava.com/api/v3/athlete",
  revoke = {
    "https://www.strava.com/oauth/deauthorize",
    method = "POST", scheme = "none", form = { access_token = "{token}" },
  },
  scopes = { "read" },
  scopeSeparator = ",",

  identity = {
    subject = "id",
    displayName = { text("firstname", "lastname"), "username" },
    -- Without a picture Strava gives the path of a placeholder.
    photoURL = function(me) return (text(me, "profile") or ""):match "^https://.+" end,
    screenName = "username",
  },
}
