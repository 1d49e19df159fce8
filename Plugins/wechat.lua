-- WeChat Login for websites and apps: an OAuth 2 of its own shape, by authorization code.
--
-- Facts: open.weixin.qq.com, "Website App WeChat Login" (authorization, access token, user information).
-- An admin registers an app on the WeChat Open Platform and takes its AppID as `clientID` and its AppSecret as
-- `clientSecret`. A code of a mobile app belongs to that app's own AppID: configure another provider for it.
-- No access token is taken: a union ID is the same in all apps of an owner, so it would not tell whose token it is.
return provider {
  id = "wechat", name = "WeChat", kind = "custom",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = "https://developers.weixin.qq.com/doc/oplatform/en/Website_App/WeChat_Login/Wechat_Login.html",
  notes = "The subject is the union ID; an app outside the Open Platform has none and needs subject = \"openid\". "
    .. "Decide once: changing it later makes strangers of everybody. There is no e-mail address. "
    .. "Not confirmed: sign-in inside WeChat (connect/oauth2/authorize, snsapi_userinfo) is not offered here.",
  hosts = { "api.weixin.qq.com" },
  settings = {
    clientID = setting.text { "the AppID", required = true },
    clientSecret = setting.secret { "the AppSecret", required = true },
    subject = setting.text { "the identifier that is the subject: unionid or openid", default = "unionid", namesSubjects = true },
  },
  credentials = { authorizationCode = { code = field.secret "the code of WeChat's answer" } },
  -- WeChat compares the order of the parameters and wants the fragment, hence one text.
  authorize = {
    "https://open.weixin.qq.com/connect/qrconnect?appid={clientID}&redirect_uri={redirectURI}"
      .. "&response_type=code&scope=snsapi_login&state={state}#wechat_redirect",
    callback = { code = "code" },
  },

  verify = function(credential, http, settings)
    local wanted = settings.subject
    assert(wanted == "unionid" or wanted == "openid", "The setting `subject` is unionid or openid.")

    -- Failures come with HTTP 200 and an `errcode`, and as text/plain.
    local function ask(path, query, step)
      local answer = http.get("https://api.weixin.qq.com/sns/" .. path, { query = query }):json()
      local code = pick(answer, "errcode")
      if code ~= nil and code ~= 0 then refuse { "WeChat answered with an error.", step = step } end
      return answer
    end
    local token = ask("oauth2/access_token", {
      appid = settings.clientID, secret = settings.clientSecret,
      code = credential.code, grant_type = "authorization_code",
    }, "exchange")
    local accessToken, openID = pick(token, "access_token"), pick(token, "openid")
    if type(accessToken) ~= "string" or type(openID) ~= "string" then
      refuse { "WeChat gave no token for this code.", step = "exchange" }
    end

    local me = ask("userinfo", { access_token = accessToken, openid = openID, lang = "en" }, "profile")
    if pick(me, "openid") ~= openID then refuse "The profile is another person's." end
    local subject = pick(me, wanted)
    if subject == nil then
      refuse {
        "WeChat gave no union ID.",
        remedy = "Bind the app to an Open Platform account, or set subject = \"openid\".",
      }
    end
    return identity {
      subject = subject, displayName = text(me, "nickname"), photoURL = text(me, "headimgurl"), claims = me,
    }
  end,
}
