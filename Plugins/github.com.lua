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
  id = "github.com", name = "GitHub", kind = "oauth2",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = {
    "https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps",
    "https://docs.github.com/en/rest/users/emails",
    "https://docs.github.com/en/rest/apps/oauth-applications",
    "https://docs.github.com/en/webhooks/webhook-events-and-payloads#github_app_authorization",
  },
  notes = "The login can be renamed and taken by another person; the number in id cannot. The address that "
    .. "GitHub shows on a profile comes without a word on its verification, so it stays unverified where the "
    .. "list of addresses is withheld. Webhooks go to GitHub Apps alone, and with the app's own secret. "
    .. "Not confirmed: that OAuth apps get no event of a revoked authorization.",
  hosts = { "github.com", "api.github.com" },
  settings = { webhookSecret = setting.secret "the secret of a GitHub App's webhook, for its events" },

  authorize = "https://github.com/login/oauth/authorize",
  token = "https://github.com/login/oauth/access_token",
  userinfo = { "https://api.github.com/user", headers = headers },
  scopes = { "user:email" },
  app = {
    "https://api.github.com/applications/{clientID}/token",
    method = "POST", basic = true, headers = headers, json = { access_token = "{accessToken}" },
    clientID = "app.client_id",
  },
  revoke = {
    "https://api.github.com/applications/{clientID}/token",
    method = "DELETE", basic = true, headers = headers, json = { access_token = "{token}" },
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

  -- A GitHub App's event of an authorization that its owner revoked. The sender is that person.
  events = function(request, _, settings)
    local secret, sent = settings.webhookSecret, request.headers["x-hub-signature-256"] or ""
    if not secret or not hash.equals(sent, "sha256=" .. hash.hmac("sha256", secret, request.body)) then
      refuse { "The signature is not GitHub's.", field = "signature" }
    end
    local isOne = request.headers["x-github-event"] == "github_app_authorization"
    if not isOne or pick(request.json, "action") ~= "revoked" then return {} end
    local id = request.headers["x-github-delivery"]
    return { { kind = "consent-revoked", subject = pick(request.json, "sender.id"), id = id } }
  end,
}
