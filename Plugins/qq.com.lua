-- QQ Connect: OAuth 2 by authorization code or access token.
--
-- Facts: wiki.connect.qq.com (authorization code, OpenID, get_user_info).
-- An admin registers a website or mobile app on connect.qq.com, and takes its APP ID as `clientID` and its APP Key as
-- `clientSecret`.
local address, query = "https://graph.qq.com/oauth2.0/me", { access_token = "{accessToken}", fmt = "json" }

return provider {
  id = "qq.com",
  name = "QQ",
  kind = "oauth2",
  documentation = { "https://wiki.connect.qq.com/", "https://wiki.connect.qq.com/get_user_info" },
  notes = "The OpenID holds for one app only; another app of the same owner needs another provider. The union ID, "
    .. "which an app has to apply for, is not used. There is no e-mail address and no revocation. Pictures come with "
    .. "http, errors with HTTP 200. Not confirmed: PKCE (not documented, therefore not sent).",
  subjectsPerApp = true,
  hosts = { "graph.qq.com" },
  authorize = "https://graph.qq.com/oauth2.0/authorize",
  token = "https://graph.qq.com/oauth2.0/token",
  tokenRequest = { method = "GET", fields = { fmt = "json" } },
  userinfo = { address, query = query },
  app = { address, query = query, clientID = "client_id", subject = "openid" },
  scopes = { "get_user_info" },
  scopeSeparator = ",",
  pkce = false,
  identity = { subject = "openid", displayName = "nickname", photoURL = { "figureurl_qq_2", "figureurl_qq_1" } },

  profile = function(me, http, accessToken)
    local user = http.get("https://graph.qq.com/user/get_user_info", {
      query = { access_token = accessToken, oauth_consumer_key = text(me, "client_id"), openid = text(me, "openid") },
    }):json()
    if pick(user, "ret") ~= 0 then refuse "QQ did not give the profile away." end
    user.openid = me.openid
    return user
  end,
}
