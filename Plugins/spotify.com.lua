-- Spotify (spotify.com).
-- Facts: Spotify's documentation "Authorization code with PKCE flow" and "Get current user's profile".
-- To set up: make an app, give clientID and clientSecret (none for a public client).

return provider {
  id = "spotify.com", name = "Spotify", kind = "oauth2",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = {
    "https://developer.spotify.com/documentation/web-api/tutorials/code-pkce-flow",
    "https://developer.spotify.com/documentation/web-api/reference/get-current-users-profile",
  },
  notes = "Only authorization codes: Spotify has no call that tells for which app an access token was made. "
    .. "Spotify says itself that the address is not verified, so it never is here. Tokens cannot be revoked. "
    .. "Apps in development mode get no e-mail, and have five people at most.",
  hosts = { "accounts.spotify.com", "api.spotify.com" },

  authorize = "https://accounts.spotify.com/authorize",
  token = "https://accounts.spotify.com/api/token",
  userinfo = "https://api.spotify.com/v1/me",
  scopes = { "user-read-email" },
  clientAuthentication = "basic",

  identity = {
    subject = "id",
    email = "email",
    displayName = { "display_name", "id" },
    photoURL = "images[1].url",
  },
}
