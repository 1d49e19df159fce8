-- Twitch (twitch.tv).
-- Facts: Twitch's documentation "Getting tokens using OIDC".
-- To set up: register an application; give clientID and clientSecret.

return provider {
  id = "twitch.tv", name = "Twitch", kind = "oidc",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = {
    "https://dev.twitch.tv/docs/authentication/getting-tokens-oidc/",
    "https://dev.twitch.tv/docs/authentication/revoke-tokens/",
    "https://dev.twitch.tv/docs/eventsub/handling-webhook-events/",
  },
  notes = "The e-mail comes only with the scope user:read:email and where the claims are asked for by name, as "
    .. "below. preferred_username is the shown name and can change. The token endpoint gives scope as a list "
    .. "where OAuth 2 has a text. Not confirmed: that PKCE is enforced.",
  hosts = { "id.twitch.tv" },
  settings = { eventSecret = setting.secret "the secret of the EventSub subscription to user.authorization.revoke" },

  issuer = "https://id.twitch.tv/oauth2",
  discovery = false,
  keys = "https://id.twitch.tv/oauth2/keys",
  authorize = "https://id.twitch.tv/oauth2/authorize",
  token = "https://id.twitch.tv/oauth2/token",
  userinfo = "https://id.twitch.tv/oauth2/userinfo",
  revoke = "https://id.twitch.tv/oauth2/revoke",
  clientAuthentication = "post",
  scopes = { "openid", "user:read:email" },
  parameters = {
    claims = '{"id_token":{"email":null,"email_verified":null,"picture":null,"preferred_username":null},'
      .. '"userinfo":{"email":null,"email_verified":null,"picture":null,"preferred_username":null}}',
  },

  identity = { displayName = "preferred_username", screenName = "preferred_username" },

  -- EventSub: the person revoked the app's authorization. Twitch asks that old messages be refused.
  events = function(request, _, settings)
    local function head(name) return request.headers["twitch-eventsub-message-" .. name] or "" end
    local secret, message = settings.eventSecret, request.json
    local made = secret and "sha256=" .. hash.hmac("sha256", secret, head "id" .. head "timestamp" .. request.body)
    local at = made and hash.equals(head "signature", made) and time.parse(head "timestamp")
    if not at or time.now() - at > 600000 then refuse { "This is not Twitch's, or old.", field = "signature" } end
    if head "type" == "webhook_callback_verification" then
      return { response = { body = message.challenge, contentType = "text/plain" } }
    end
    local isOurs = pick(message, "event.client_id") == settings.clientID
    if not isOurs or pick(message, "subscription.type") ~= "user.authorization.revoke" then return {} end
    return { { kind = "consent-revoked", subject = message.event.user_id, id = head "id", at = at } }
  end,
}
