-- Atlassian (Jira, Confluence, Trello): OAuth 2 (3LO) by authorization code.
--
-- Facts: django-allauth, Auth.js, better-auth and nuxt-auth-utils; Atlassian's own page was not at hand.
-- An admin makes an "OAuth 2.0 integration" in developer.atlassian.com/console, adds the User identity API with the
-- scope read:me and the callback address, and takes client ID and secret.
-- Atlassian cannot tell which app an access token was issued to, so only codes are taken.
return provider {
  id = "atlassian.com",
  name = "Atlassian",
  kind = "oauth2",
  documentation = "https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/",
  notes = "People can hide their address; then there is none. Refresh tokens come with the scope offline_access only, "
    .. "and each works once. Atlassian documents no revocation. "
    .. "Not confirmed: all facts are from other programs; that PKCE is enforced; the states of an account besides "
    .. "active and inactive.",
  hosts = { "auth.atlassian.com", "api.atlassian.com" },
  authorize = "https://auth.atlassian.com/authorize",
  parameters = { audience = "api.atlassian.com", prompt = "consent" },
  token = "https://auth.atlassian.com/oauth/token",
  userinfo = "https://api.atlassian.com/me",
  scopes = { "read:me" },
  identity = {
    subject = "account_id",
    email = "email",
    emailVerified = "email_verified",
    displayName = { "name", "nickname" },
    photoURL = "picture",
  },

  profile = function(profile)
    local status = pick(profile, "account_status")
    if status ~= nil and status ~= "active" then refuse "Atlassian says that this account is not active." end
    return profile
  end,
}
