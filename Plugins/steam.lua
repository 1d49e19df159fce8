-- Steam: OpenID 2.0, checked with Steam itself for every sign-in.
--
-- Facts: partner.steamgames.com, "User Authentication and Ownership"; openid.net, OpenID Authentication 2.0 (10, 11).
-- An admin lists in `returnAddresses` the addresses that Steam's answers are for: an answer for any other address is
-- some other site's, presented here by it. With a web API key the name and picture are read as well.
local endpoint = "https://steamcommunity.com/openid/login"
local namespace = "http://specs.openid.net/auth/2.0"
local lifetime = 600 -- seconds that an answer may be old

return provider {
  id = "steam", name = "Steam", kind = "custom",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = {
    "https://partner.steamgames.com/doc/features/auth#website",
    "https://openid.net/specs/openid-authentication-2_0.html",
  },
  notes = "There is no e-mail address. A return address must not have a query of its own: the state is put there.",
  hosts = { "steamcommunity.com", "api.steampowered.com" },
  settings = {
    returnAddresses = setting.list { "the redirect URIs that are yours", required = true },
    webAPIKey = setting.secret { "a Steam web API key, for name and picture" },
  },
  credentials = {
    authorizationCode = {
      answer = field.text "the whole query of Steam's callback",
      redirectURI = field.text "the redirect URI of the request",
    },
  },
  authorize = {
    endpoint,
    parameters = {
      ["openid.ns"] = namespace, ["openid.mode"] = "checkid_setup",
      ["openid.return_to"] = "{redirectURI}?state={state}", ["openid.realm"] = "{redirectURI}",
      ["openid.identity"] = namespace .. "/identifier_select",
      ["openid.claimed_id"] = namespace .. "/identifier_select",
    },
    callback = { answer = "*" },
  },

  verify = function(credential, http, settings)
    local function unless(holds, why)
      if not holds then refuse { why, field = "answer", step = "credential" } end
    end
    local answer = url.query(credential.answer) or {}
    local function openid(name)
      local value = answer["openid." .. name]
      return type(value) == "string" and value or ""
    end
    unless(openid "mode" == "id_res", "Steam did not sign anybody in.")
    unless(openid "ns" == namespace and openid "op_endpoint" == endpoint, "The answer is not Steam's.")
    local signed = "," .. openid "signed" .. ","
    for _, name in ipairs { "op_endpoint", "claimed_id", "identity", "return_to", "response_nonce", "assoc_handle" } do
      unless(signed:find("," .. name .. ",", 1, true), "Steam did not sign all that it has to.")
    end

    local ours = false
    for _, address in ipairs(settings.returnAddresses or {}) do ours = ours or address == credential.redirectURI end
    if not ours then
      refuse { "This is no return address of ours.", field = "redirectURI", step = "credential",
        remedy = "Add it to the setting returnAddresses." }
    end
    local state = type(answer.state) == "string" and "?state=" .. url.escape(answer.state) or ""
    unless(openid "return_to" == credential.redirectURI .. state, "The answer is for another address.")

    local subject = openid "claimed_id":match "^https://steamcommunity%.com/openid/id/(%d+)$"
    unless(subject and #subject == 17, "The answer names no Steam account.")
    unless(openid "identity" == openid "claimed_id", "The answer names two accounts.")
    local nonce = openid "response_nonce"
    local known, issued = pcall(time.parse, nonce:match "^%d+%-%d%d%-%d%dT%d%d:%d%d:%d%dZ" or "")
    unless(known and math.type(issued) and math.abs(time.now() - issued) <= lifetime * 1000, "The answer is too old.")

    -- Exactly what was read above is what Steam is asked about.
    local question = {}
    for name, value in pairs(answer) do
      if type(value) == "string" and name:sub(1, 7) == "openid." then question[name] = value end
    end
    question["openid.mode"] = "check_authentication"
    local verdict = "\n" .. http.post(endpoint, { form = question }):text():gsub("\r", "") .. "\n"
    unless(verdict:find("\nis_valid:true\n", 1, true), "Steam says that the answer is not its own.")
    once("steam " .. nonce, 2 * lifetime)

    local player = {}
    if settings.webAPIKey then
      local summaries = http.get("https://api.steampowered.com/ISteamUser/GetPlayerSummaries/v2/", {
        query = { key = settings.webAPIKey, steamids = subject },
      }):json()
      player = pick(summaries, "response.players[1]") or { steamid = subject }
      if pick(player, "steamid") ~= subject then refuse "The profile is another person's." end
    end
    return identity {
      subject = subject, displayName = text(player, "personaname"), photoURL = text(player, "avatarfull"),
      claims = player,
    }
  end,
}
