-- Discord (discord.com).
-- Facts: Discord's documentation "OAuth2", "User resource" and "Image formatting".
-- To set up: make an application, give its ID as clientID and its secret as clientSecret, and register
-- the redirect URI.

local function avatar(me)
  local id, picture = pick(me, "id"), pick(me, "avatar")
  if type(id) == "string" and type(picture) == "string" and picture ~= "" then
    return "https://cdn.discordapp.com/avatars/" .. url.escape(id) .. "/" .. url.escape(picture) .. ".png"
  end
end

return provider {
  id = "discord.com",
  name = "Discord",
  kind = "oauth2",
  documentation = {
    "https://discord.com/developers/docs/topics/oauth2",
    "https://discord.com/developers/docs/resources/user",
  },
  notes = "The id is a snowflake beyond 2^53 and comes as text. User names can change. `verified` speaks of the "
    .. "address; both are absent without the scope email and for accounts that have only a phone number.",
  hosts = { "discord.com" },

  authorize = "https://discord.com/oauth2/authorize",
  token = "https://discord.com/api/oauth2/token",
  userinfo = "https://discord.com/api/users/@me",
  revoke = "https://discord.com/api/oauth2/token/revoke",
  scopes = { "identify", "email" },
  app = { "https://discord.com/api/oauth2/@me", clientID = "application.id" },

  identity = {
    subject = "id",
    email = "email",
    emailVerified = "verified",
    displayName = { "global_name", "username" },
    photoURL = avatar,
    screenName = "username",
  },
}
