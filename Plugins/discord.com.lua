-- Discord (discord.com).
-- Facts: Discord's documentation "OAuth2", "User resource", "Image formatting" and "Webhook events".
-- To set up: make an application, give its ID as clientID and its secret as clientSecret, and register
-- the redirect URI. For events give its public key, and subscribe to "Application Deauthorized" on the page
-- of webhooks.

return provider {
  id = "discord.com", name = "Discord", kind = "oauth2",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = {
    "https://discord.com/developers/docs/topics/oauth2",
    "https://discord.com/developers/docs/resources/user",
    "https://discord.com/developers/docs/events/webhook-events",
  },
  notes = "The id is a snowflake beyond 2^53 and comes as text. User names can change. `verified` speaks of the "
    .. "address; both are absent without the scope email and for accounts that have only a phone number. "
    .. "Discord sends its event for a ban and for a revoked token too.",
  hosts = { "discord.com" },
  settings = { publicKey = setting.text "the app's public key in hex, with which Discord signs events" },

  authorize = "https://discord.com/oauth2/authorize",
  token = "https://discord.com/api/v10/oauth2/token",
  userinfo = "https://discord.com/api/v10/users/@me",
  revoke = "https://discord.com/api/v10/oauth2/token/revoke",
  scopes = { "identify", "email" },
  app = { "https://discord.com/api/v10/oauth2/@me", clientID = "application.id" },

  identity = {
    subject = "id", email = "email", emailVerified = "verified",
    displayName = { "global_name", "username" }, screenName = "username",
    photoURL = function(me)
      local id, picture = text(me, "id"), text(me, "avatar")
      if not id or not picture then return nil end
      return "https://cdn.discordapp.com/avatars/" .. url.escape(id) .. "/" .. url.escape(picture) .. ".png"
    end,
  },

  -- Discord probes with wrong signatures, and wants 401 for them.
  events = function(request, _, settings)
    local function bytes(hex) return (hex:gsub("%x%x", function(pair) return string.char(tonumber(pair, 16)) end)) end
    local at, signature = request.headers["x-signature-timestamp"] or "", request.headers["x-signature-ed25519"] or ""
    local isSigned = verify.ed25519(bytes(settings.publicKey or ""), at .. request.body, bytes(signature))
    if not isSigned then return { response = { status = 401 } } end
    local answer = { events = {}, response = { status = 204, contentType = "application/json" } }
    if pick(request.json, "event.type") == "APPLICATION_DEAUTHORIZED" then
      local subject, sent = pick(request.json, "event.data.user.id"), at:match "^%d+$" and tonumber(at) * 1000
      answer.events = { { kind = "consent-revoked", subject = subject, at = sent } }
    end
    return answer
  end,
}
