-- Dropbox: OAuth 2 by authorization code.
--
-- Facts: dropbox.com/developers, "OAuth guide" and "/users/get_current_account".
-- An admin creates an app with the permission account_info.read and takes its app key as `clientID` and its app
-- secret as `clientSecret`. Dropbox cannot tell which app an access token was issued to, so only codes are taken.
return provider {
  id = "dropbox.com", name = "Dropbox", kind = "oauth2",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = {
    "https://developers.dropbox.com/oauth-guide",
    "https://www.dropbox.com/developers/documentation/http/documentation#users-get_current_account",
  },
  notes = "The call of the profile is a POST with an empty body; a body of form fields is refused by Dropbox. "
    .. "Dropbox revokes an access token, and with it the refresh token from the same sign-in.",
  hosts = { "api.dropboxapi.com" },
  authorize = "https://www.dropbox.com/oauth2/authorize",
  token = "https://api.dropboxapi.com/oauth2/token",
  userinfo = { "https://api.dropboxapi.com/2/users/get_current_account", method = "POST" },
  revoke = { "https://api.dropboxapi.com/2/auth/token/revoke", method = "POST" },
  scopes = { "account_info.read" },
  clientAuthentication = "post",
  identity = {
    subject = "account_id",
    email = "email",
    emailVerified = "email_verified",
    displayName = { "name.display_name", text("name.given_name", "name.surname") },
    photoURL = "profile_photo_url",
  },

  profile = function(profile)
    if pick(profile, "disabled") == true then refuse "Dropbox has disabled this account." end
    return profile
  end,
}
