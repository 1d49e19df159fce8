-- Figma: OAuth 2 by authorization code.
--
-- Facts: Figma's REST API specification and "Re-publish OAuth apps"; Arctic and better-auth.
-- An admin makes an app on figma.com/developers/apps with the scope current_user:read and the redirect URL, publishes
-- it, and takes client ID and secret.
-- Figma cannot tell which app an access token was issued to, so only codes are taken.
return provider {
  id = "figma.com",
  name = "Figma",
  kind = "oauth2",
  documentation = { "https://github.com/figma/rest-api-spec", "https://www.figma.com/developers/api#authentication" },
  notes = "Nothing says that the e-mail address was verified. A renewal gives no new refresh token. Figma has no "
    .. "revocation. Not confirmed: that PKCE is enforced.",
  hosts = { "api.figma.com" },
  authorize = "https://www.figma.com/oauth",
  token = "https://api.figma.com/v1/oauth/token",
  refresh = "https://api.figma.com/v1/oauth/refresh",
  userinfo = "https://api.figma.com/v1/me",
  scopes = { "current_user:read" },
  clientAuthentication = "basic",
  identity = { subject = "id", email = "email", displayName = "handle", photoURL = "img_url" },
}
