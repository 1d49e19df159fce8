-- GitHub (github.com), for OAuth apps and GitHub Apps.
-- Facts: GitHub's documentation of OAuth apps, REST API "users", "emails" and "apps/oauth-applications".
-- To set up: register an app, give clientID and clientSecret; a GitHub App also needs the account
-- permission "Email addresses: read". The secret is needed for access tokens too: only with it does
-- GitHub tell whose token it is.

local headers = {
  ["Accept"] = "application/vnd.github+json",
  ["X-GitHub-Api-Version"] = "2022-11-28",
  ["User-Agent"] = "AuthGraph",
}

return provider {
  id = "github.com",
  name = "GitHub",
  kind = "oauth2",
  documentation = {
    "https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps",
    "https://docs.github.com/en/rest/users/emails",
    "https://docs.github.com/en/rest/apps/oauth-applications",
  },
  notes = "The login can be renamed and taken by another person; the number in id cannot. The address that "
    .. "GitHub shows on a profile comes without a word on its verification, so it stays unverified where the "
    .. "list of addresses is withheld. Tokens are revoked by DELETE, which is not RFC 7009: not offered here.",
  hosts = { "github.com", "api.github.com" },

  authorize = "https://github.com/login/oauth/authorize",
  token = "https://github.com/login/oauth/access_token",
  userinfo = { "https://api.github.com/user", headers = headers },
  scopes = { "user:email" },
  app = {
    "https://api.github.com/applications/{clientID}/token",
    method = "POST",
    basic = true,
    headers = headers,
    json = { access_token = "{accessToken}" },
    clientID = "app.client_id",
  },

  -- 403 and 404 are GitHub's answers to a token without the scope: the person may still come in.
  profile = function(me, http, accessToken)
    local answer = http.get("https://api.github.com/user/emails", {
      bearer = accessToken, headers = headers, statuses = { 403, 404 },
    })
    local entry = answer.status == 200 and pick(answer:json(), "[primary=true]") or nil
    if pick(entry, "email") then me.email = pick(entry, "email") end
    me.email_verified = pick(entry, "email") and pick(entry, "verified") or nil
    return me
  end,

  identity = {
    subject = "id",
    email = "email",
    emailVerified = "email_verified",
    displayName = { "name", "login" },
    photoURL = "avatar_url",
    screenName = "login",
  },
}
