-- Telegram's login widget: fields that Telegram signed with a key made of the bot's token.
--
-- Facts: core.telegram.org/widgets/login, "Checking authorization".
-- An admin creates a bot with @BotFather, links the site's domain with it (/setdomain), and gives the bot's token.
-- The page hands over the fields of the widget's answer as they are, all of them, each as a text.
local names = { "auth_date", "first_name", "id", "last_name", "photo_url", "username" } -- in the order of the signature

return provider {
  id = "telegram",
  name = "Telegram",
  kind = "custom",
  documentation = "https://core.telegram.org/widgets/login",
  notes = "There is no e-mail address and nothing is asked of Telegram: revoking the bot's token ends all sign-ins. "
    .. "Fields that Telegram may add later have to be added here, as they are signed too. Mini Apps (initData) sign "
    .. "with another key and are not taken.",
  hosts = {},
  settings = {
    botToken = setting.secret { "the bot's token from @BotFather", required = true },
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
  },

  verify = function(credential, _, settings)
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
  end,
}
