-- Box: OAuth 2 by authorization code.
--
-- Facts: Box's OpenAPI description ("Get current user", "Request access token", "Revoke access token").
-- An admin makes a custom app with "User Authentication (OAuth 2.0)" in app.box.com/developers/console, adds the
-- redirect URI, and takes client ID and secret. The app's own scopes apply, so none is asked for.
-- Box cannot tell which app an access token was issued to, so only codes are taken.
return provider {
  id = "box.com",
  name = "Box",
  kind = "oauth2",
  documentation = {
    "https://developer.box.com/guides/authentication/oauth2/",
    "https://developer.box.com/reference/get-users-me/",
  },
  notes = "The e-mail address is Box's `login`, which admins of an enterprise can change; nothing says that it was "
    .. "verified. The picture needs the access token, so it is left out. "
    .. "Not confirmed: that PKCE is enforced.",
  hosts = { "api.box.com" },
  authorize = "https://account.box.com/api/oauth2/authorize",
  token = "https://api.box.com/oauth2/token",
  userinfo = "https://api.box.com/2.0/users/me",
  revoke = "https://api.box.com/oauth2/revoke",
  scopes = {},
  identity = { subject = "id", email = "login", displayName = "name" },
}
