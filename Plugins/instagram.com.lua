-- Instagram, by the "Instagram API with Instagram Login": authorization codes of professional accounts.
--
-- Facts: Meta's "Business Login for Instagram" and "Get started"; Socialite and nuxt-auth-utils.
-- An admin adds the product Instagram to an app on developers.facebook.com, sets the redirect URI under "Business
-- login", and takes the Instagram app ID as `clientID` and the Instagram app secret as `clientSecret`; they are not
-- the app's own. Instagram cannot tell which app an access token was issued to, so only codes are taken.
return provider {
  id = "instagram.com",
  name = "Instagram",
  kind = "custom",
  documentation = {
    "https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login",
    "https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/get-started",
  },
  notes = "Business and creator accounts only: the login of personal accounts (Basic Display) ended in December 2024. "
    .. "There is no e-mail address. The subject is `id`, which is particular to the app. "
    .. "Not confirmed: whether the token answer is flat, as other programs read it, or in data, as Meta writes; "
    .. "both are taken.",
  subjectsPerApp = true,
  hosts = { "api.instagram.com", "graph.instagram.com" },
  settings = {
    clientID = setting.text { "the Instagram app ID", required = true },
    clientSecret = setting.secret { "the Instagram app secret", required = true },
    graphVersion = setting.text { "the version of the Graph API", default = "v24.0" },
  },
  credentials = {
    authorizationCode = {
      code = field.secret "the code of Instagram's answer",
      redirectURI = field.url "the redirect URI that the browser came back to",
    },
  },
  authorize = {
    "https://www.instagram.com/oauth/authorize",
    parameters = {
      client_id = "{clientID}", redirect_uri = "{redirectURI}", response_type = "code",
      scope = "instagram_business_basic", state = "{state}",
    },
    callback = { code = "code" },
  },

  verify = function(credential, http, settings)
    local answer = http.post("https://api.instagram.com/oauth/access_token", {
      form = {
        client_id = settings.clientID, client_secret = settings.clientSecret, code = credential.code,
        grant_type = "authorization_code", redirect_uri = credential.redirectURI,
      },
      statuses = { 400 },
    }):json()
    local token = pick(answer, "access_token") or pick(answer, "data[1].access_token")
    if type(token) ~= "string" then refuse { "Instagram gave no token for this code.", step = "exchange" } end
    local me = http.get("https://graph.instagram.com/" .. settings.graphVersion .. "/me", {
      bearer = token, query = { fields = "id,user_id,username,name,account_type,profile_picture_url" },
    }):json()
    return identity {
      subject = me.id, displayName = text(me, "name") or text(me, "username"), screenName = text(me, "username"),
      photoURL = text(me, "profile_picture_url"), claims = me,
    }
  end,
}
