-- Notion (notion.so).
-- Facts: Notion's documentation "Create a token", "Refresh a token" and its changelog; the sources of
-- django-allauth, better-auth and supabase.
-- To set up: make a public integration that may read user information with e-mail addresses; give its
-- OAuth client ID and secret as clientID and clientSecret, and register the redirect URI.

return provider {
  id = "notion.so",
  name = "Notion",
  kind = "oauth2",
  documentation = "https://developers.notion.com/reference/create-a-token",
  notes = "Only authorization codes, whose answer names the person. Notion says of no address that it is verified, and "
    .. "has no scopes. bot_id names the integration in a workspace; a workspace as the owner is refused. "
    .. "Not confirmed: that a person has one ID in all workspaces, that refresh tokens can be revoked, and PKCE (not "
    .. "documented, therefore not sent).",
  hosts = { "api.notion.com" },

  authorize = "https://api.notion.com/v1/oauth/authorize",
  parameters = { owner = "user" },
  token = "https://api.notion.com/v1/oauth/token",
  tokenRequest = { format = "json", headers = { ["Notion-Version"] = "2022-06-28" } },
  revoke = {
    "https://api.notion.com/v1/oauth/revoke",
    method = "POST", basic = true, json = { token = "{token}" }, headers = { ["Notion-Version"] = "2022-06-28" },
  },
  clientAuthentication = "basic",
  pkce = false,

  identity = {
    subject = "$token.owner.user.id",
    email = "$token.owner.user.person.email",
    displayName = "$token.owner.user.name",
    photoURL = "$token.owner.user.avatar_url",
  },
}
