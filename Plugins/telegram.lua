-- Telegram: OpenID Connect by authorization code, and the login widget that came before it.
--
-- Facts: core.telegram.org/bots/telegram-login; core.telegram.org/widgets/login, "Checking authorization".
-- An admin creates a bot with @BotFather. For OpenID Connect: add the redirect URI to the bot's "Allowed URLs", and
-- give the bot's number as clientID and the secret from there. For the widget: link the site's domain with the bot
-- (/setdomain), and give the bot's token. The page hands over the fields of the widget's answer as they are, all of
-- them, each as a text.
-- Both are in one file, because an identity is of one provider ID: two files would make two people of one.
local names = { "auth_date", "first_name", "id", "last_name", "photo_url", "username" } -- in the order of the signature

local function widget(credential, settings)
  if not settings.botToken then refuse { "The login widget is not set up.", field = "hash", step = "credential" } end
  local lines, claims = {}, {}
  for _, name in ipairs(names) do
    local value = credential[name]
    if value ~= nil and value ~= "" then
      -- A line break in a name would let the signed lines be read as other fields.
      if value:find "%c" then refuse { "A field holds a control character.", field = name, step = "credential" } end
      lines[#lines + 1] = name .. "=" .. value
      claims[name] = value
    end
  end
  local key = hash.sha256(settings.botToken)
  local signature = hash.hmac("sha256", key, table.concat(lines, "\n"), "hex")
  if not hash.equals(credential.hash, signature) then
    refuse { "The signature is not our bot's.", field = "hash", step = "credential" }
  end

  local signedAt = (claims.auth_date or ""):match "^%d+$"
  local age = signedAt and #signedAt <= 12 and time.now() / 1000 - tonumber(signedAt)
  if not age or age > settings.maximumAge or age < -60 then
    refuse { "The answer is too old.", field = "auth_date", step = "credential", remedy = "Sign in once more." }
  end
  if not (claims.id or ""):find "^[1-9]%d*$" then
    refuse { "This is no number of a person.", field = "id", step = "credential" }
  end
  once("telegram " .. signature, settings.maximumAge + 60)
  return identity {
    subject = claims.id, screenName = claims.username, photoURL = claims.photo_url, claims = claims,
    displayName = text(claims, "first_name", "last_name") or claims.username,
  }
end

-- Telegram repeats no nonce, so the code is bound to the browser by the PKCE verifier, which is required.
local function code(credential, settings)
  local tokens = oauth.exchange(credential, {
    token = "https://oauth.telegram.org/token",
    clientID = settings.clientID, clientSecret = settings.clientSecret, clientAuthentication = "basic",
  })
  if not tokens.idToken then refuse { "Telegram gave no ID token.", step = "exchange" } end
  local claims = jwt.verify("login", tokens.idToken)
  return identity {
    subject = claims.id, -- the widget's number; `sub` is another one for each bot
    displayName = text(claims, "name") or claims.preferred_username,
    photoURL = claims.picture, screenName = claims.preferred_username, phoneNumber = claims.phone_number,
    claims = claims,
  }
end

return provider {
  id = "telegram",
  name = "Telegram",
  kind = "custom",
  documentation = { "https://core.telegram.org/bots/telegram-login", "https://core.telegram.org/widgets/login" },
  notes = "Give clientID and clientSecret, or botToken, or all of them. A bot that switched to OpenID Connect cannot "
    .. "go back to the widget. There is no e-mail address. Nothing is asked of Telegram about the widget's answer: "
    .. "revoking the bot's token ends all sign-ins with it. Fields that Telegram may add to it have to be added here, "
    .. "as they are signed too. Mini Apps (initData) sign with another key and are not taken. Only RS256 is taken for "
    .. "ID tokens, Telegram's default; a bot's owner can choose another. Not confirmed: that no ID token has a nonce.",
  hosts = { "oauth.telegram.org" },
  settings = {
    clientID = setting.text "the bot's number, for OpenID Connect",
    clientSecret = setting.secret "the secret for OpenID Connect from @BotFather, which is not the bot's token",
    botToken = setting.secret "the bot's token from @BotFather, for the widget",
    maximumAge = setting.number { "the maximum age of the widget's answer in seconds", default = 300 },
  },
  credentials = {
    loginWidget = {
      id = field.text "the person's number",
      auth_date = field.text "the time of Telegram's signature, in seconds since 1970",
      hash = field.secret "the signature",
      first_name = field.text { "the first name", optional = true },
      last_name = field.text { "the last name", optional = true },
      username = field.text { "the public name", optional = true },
      photo_url = field.text { "the address of the picture", optional = true },
    },
    authorizationCode = {
      code = field.secret "the code of the callback",
      redirectURI = field.url "the redirect URI of the request",
      codeVerifier = field.secret "the PKCE verifier",
    },
  },
  tokens = {
    login = {
      issuer = "https://oauth.telegram.org", keys = "https://oauth.telegram.org/.well-known/jwks.json",
      audience = "{clientID}", nonce = false,
    },
  },
  authorize = {
    "https://oauth.telegram.org/auth",
    parameters = {
      response_type = "code", client_id = "{clientID}", redirect_uri = "{redirectURI}", state = "{state}",
      scope = "openid profile", code_challenge = "{codeChallenge}", code_challenge_method = "S256",
    },
    callback = { code = "code" },
  },

  verify = function(credential, _, settings)
    return (credential.builder == "authorizationCode" and code or widget)(credential, settings)
  end,
}
