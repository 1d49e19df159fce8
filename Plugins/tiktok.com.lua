-- TikTok, by "Login Kit" for web: OAuth 2 by authorization code.
--
-- Facts: developers.tiktok.com, "Manage User Access Tokens", "Get User Info" and "Error handling".
-- An admin makes an app with Login Kit and the scope user.info.basic, adds the redirect URI, and takes the client key
-- as `clientID` and the client secret as `clientSecret`.
-- TikTok cannot tell which app an access token was issued to, so only codes are taken.
return provider {
  id = "tiktok.com",
  name = "TikTok",
  kind = "oauth2",
  documentation = {
    "https://developers.tiktok.com/doc/oauth-user-access-token-management",
    "https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info",
  },
  notes = "The subject is the open ID, which is particular to the app. There is no e-mail address. Not confirmed: that "
    .. "PKCE is enforced on the web; desktop apps seem to need the challenge in hex, which is not offered here.",
  subjectsPerApp = true,
  hosts = { "open.tiktokapis.com" },
  authorize = "https://www.tiktok.com/v2/auth/authorize/",
  token = "https://open.tiktokapis.com/v2/oauth/token/",
  tokenRequest = { names = { client_id = "client_key" } },
  userinfo = {
    "https://open.tiktokapis.com/v2/user/info/",
    query = { fields = "open_id,union_id,avatar_url,display_name" },
  },
  revoke = "https://open.tiktokapis.com/v2/oauth/revoke/",
  scopes = { "user.info.basic" },
  scopeSeparator = ",",
  identity = {
    subject = "data.user.open_id",
    displayName = "data.user.display_name",
    photoURL = "data.user.avatar_url",
  },

  profile = function(profile)
    -- The code in the answer counts, whatever the HTTP status.
    if pick(profile, "error.code") ~= "ok" then refuse "TikTok did not give the profile away." end
    return profile
  end,
}
