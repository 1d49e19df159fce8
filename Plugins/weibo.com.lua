-- Weibo (Sina Weibo): OAuth 2 by authorization code or access token.
--
-- Facts: open.weibo.com/wiki, "Oauth2/access token", "Oauth2/get token info" and "2/users/show".
-- An admin registers an app on open.weibo.com, and takes its App Key as `clientID` and its App Secret as
-- `clientSecret`.
local address, form = "https://api.weibo.com/oauth2/get_token_info", { access_token = "{accessToken}" }

return provider {
  id = "weibo.com",
  name = "Weibo",
  kind = "oauth2",
  documentation = {
    "https://open.weibo.com/wiki/Oauth2/get_token_info",
    "https://open.weibo.com/wiki/2/users/show",
  },
  notes = "verified is a badge of celebrities and speaks of no address. Pictures come with http. No address is "
    .. "asked for. Not confirmed: that it comes only by a call which Weibo grants to few apps; the revocation; "
    .. "PKCE (not documented, therefore not sent).",
  hosts = { "api.weibo.com" },
  authorize = "https://api.weibo.com/oauth2/authorize",
  token = "https://api.weibo.com/oauth2/access_token",
  userinfo = { address, form = form },
  app = { address, form = form, clientID = "appkey", subject = "uid" },
  revoke = { "https://api.weibo.com/oauth2/revokeoauth2", form = { access_token = "{token}" } },
  pkce = false,
  identity = {
    subject = "idstr", displayName = { "name", "screen_name" }, photoURL = "avatar_large", screenName = "screen_name",
  },

  -- The token names the person, as a text or a number, and users/show describes them.
  profile = function(token, http, accessToken)
    local uid = tostring(pick(token, "uid"))
    local me = http.get("https://api.weibo.com/2/users/show.json", {
      query = { access_token = accessToken, uid = uid },
    }):json()
    if text(me, "idstr") ~= uid then refuse "The profile is another person's." end
    return me
  end,
}
