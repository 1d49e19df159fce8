-- Reddit (reddit.com).
-- Facts: Reddit's documentation "OAuth2" (the archived wiki of reddit) and "GET /api/v1/me".
-- To set up: make a "web app"; give clientID and clientSecret.

return provider {
  id = "reddit.com", name = "Reddit", kind = "oauth2",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = {
    "https://github.com/reddit-archive/reddit/wiki/OAuth2",
    "https://www.reddit.com/dev/api/#GET_api_v1_me",
  },
  notes = "Only authorization codes: Reddit has no call that tells for which app an access token was made. The "
    .. "subject is `id`; names are freed and changed. No e-mail comes: has_verified_email speaks of an address "
    .. "that is not given. Requests without a User-Agent of their own are answered with 429. Errors of the token "
    .. "endpoint come with 200. PKCE is not documented, and not sent: other implementations leave it out too.",
  hosts = { "www.reddit.com", "oauth.reddit.com" },

  authorize = "https://www.reddit.com/api/v1/authorize",
  token = "https://www.reddit.com/api/v1/access_token",
  userinfo = {
    "https://oauth.reddit.com/api/v1/me", headers = { ["User-Agent"] = "web:{clientID}:1.0 (sign-in by AuthGraph)" },
  },
  revoke = "https://www.reddit.com/api/v1/revoke_token",
  scopes = { "identity" },
  parameters = { duration = "temporary" },
  clientAuthentication = "basic",
  pkce = false,

  identity = {
    subject = "id",
    displayName = { "subreddit.title", "name" },
    -- The address comes written for HTML.
    photoURL = function(me)
      local picture = pick(me, "icon_img")
      return type(picture) == "string" and picture ~= "" and (picture:gsub("&amp;", "&")) or nil
    end,
    screenName = "name",
  },
}
