-- Yandex ID: OAuth 2 by authorization code or access token.
--
-- Facts: yandex.com/dev/id (OAuth codes, user information).
-- An admin registers an app on oauth.yandex.com with the permissions login:info, login:email and login:avatar and
-- takes its client ID and secret; client IDs of further apps of theirs belong in `audiences`.
-- The profile names the client that the token was issued to, so access tokens can be told from other apps' ones.
local profileCall = { "https://login.yandex.ru/info", scheme = "OAuth", query = { format = "json" } }

return provider {
  id = "yandex.com", name = "Yandex", kind = "oauth2",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = {
    "https://yandex.com/dev/id/doc/en/codes/code-url",
    "https://yandex.com/dev/id/doc/en/user-information",
  },
  notes = "Yandex says of no address that it was verified, so none is; a mailbox at a domain of Yandex's own is held "
    .. "by Yandex itself. A scope that the app lacks is refused. "
    .. "Not confirmed: whether freed logins are given to others.",
  hosts = { "oauth.yandex.ru", "login.yandex.ru" },
  authorize = "https://oauth.yandex.com/authorize",
  token = "https://oauth.yandex.ru/token",
  userinfo = profileCall,
  app = { profileCall[1], scheme = profileCall.scheme, query = profileCall.query, clientID = "client_id" },
  revoke = { "https://oauth.yandex.ru/revoke_token", form = { access_token = "{token}" }, authentication = "post" },
  scopes = { "login:info", "login:email", "login:avatar" },
  clientAuthentication = "post",
  identity = {
    subject = "id",
    email = { "default_email", "emails[1]" },
    displayName = { "real_name", text("first_name", "last_name"), "display_name", "login" },
    screenName = "login",
    photoURL = function(me)
      local avatar = pick(me, "default_avatar_id")
      if type(avatar) ~= "string" or avatar == "" or pick(me, "is_avatar_empty") == true then return nil end
      return "https://avatars.yandex.net/get-yapic/" .. avatar .. "/islands-200"
    end,
  },
}
