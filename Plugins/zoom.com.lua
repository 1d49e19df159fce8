-- Zoom (zoom.com).
-- Facts: Zoom's documentation "OAuth 2.0 with PKCE"; the sources of django-allauth, better-auth, supabase and Arctic.
-- To set up: make a general app (user-managed) in the Zoom App Marketplace with the scopes user:read:user and
-- user:read:email (or the classic user:read); give clientID and clientSecret, and register the redirect URI.

return provider {
  id = "zoom.com",
  name = "Zoom",
  kind = "oauth2",
  documentation = "https://developers.zoom.us/docs/integrations/oauth/",
  notes = "Only authorization codes: Zoom has no call that tells for which app an access token was made. The app in "
    .. "the Marketplace decides the scopes, so none are requested. `verified` is the number 1 for a verified address. "
    .. "account_id names the company, not the person. A refresh token works once.",
  hosts = { "zoom.us", "api.zoom.us" },

  authorize = "https://zoom.us/oauth/authorize",
  token = "https://zoom.us/oauth/token",
  userinfo = "https://api.zoom.us/v2/users/me",
  revoke = "https://zoom.us/oauth/revoke",
  clientAuthentication = "basic",

  identity = {
    subject = "id",
    email = "email",
    emailVerified = { "verified", is = { 1 } },
    displayName = { "display_name", text("first_name", "last_name") },
    photoURL = "pic_url",
  },
}
