-- VK ID: OAuth 2.1 with PKCE and a device ID, by authorization code.
--
-- Facts: id.vk.ru (earlier id.vk.com), "VK ID without an SDK".
-- An admin registers a web app with VK ID and takes its app ID as `clientID`. The exchange is protected by PKCE
-- and has no secret. The code, the device ID and the verifier come from the callback or from VK's SDK.
return provider {
  id = "vk.com", name = "VK", kind = "custom",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = "https://id.vk.com/about/business/go/docs",
  notes = "`verified` speaks of the profile and never of the e-mail address, which is taken as unverified. "
    .. "Not confirmed: that user_info refuses another app's access token (so no access token is taken); "
    .. "the keys of VK's ID tokens (so none is taken); the path of the revocation (so there is none).",
  hosts = { "id.vk.ru" },
  settings = {
    clientID = setting.text { "the app ID", required = true },
    scope = setting.text { "the requested scopes, separated by spaces", default = "vkid.personal_info email" },
  },
  credentials = {
    authorizationCode = {
      code = field.secret "the code of VK's answer",
      deviceID = field.text "the device_id of VK's answer",
      codeVerifier = field.secret "the PKCE verifier",
      redirectURI = field.text "the redirect URI of the request",
    },
  },
  authorize = {
    "https://id.vk.ru/authorize",
    parameters = {
      response_type = "code", client_id = "{clientID}", redirect_uri = "{redirectURI}", scope = "{scope}",
      state = "{state}", code_challenge = "{codeChallenge}", code_challenge_method = "S256",
    },
    callback = { code = "code", deviceID = "device_id" },
  },

  verify = function(credential, http, settings)
    local token = http.post("https://id.vk.ru/oauth2/auth", {
      form = {
        grant_type = "authorization_code", client_id = settings.clientID, code = credential.code,
        code_verifier = credential.codeVerifier, device_id = credential.deviceID,
        redirect_uri = credential.redirectURI,
        state = hash.sha256(credential.deviceID, "hex"), -- any text: VK wants one and only repeats it
      },
    }):json()
    local accessToken = pick(token, "access_token")
    if pick(token, "error") ~= nil or type(accessToken) ~= "string" then
      refuse { "VK gave no token for this code.", step = "exchange" }
    end

    local answer = http.post("https://id.vk.ru/oauth2/user_info", {
      form = { client_id = settings.clientID, access_token = accessToken },
    }):json()
    local user = pick(answer, "user")
    if pick(answer, "error") ~= nil or type(user) ~= "table" then refuse "VK did not give the profile away." end
    -- A number in the one answer is a text in the other.
    local subject, owner = pick(user, "user_id"), pick(token, "user_id")
    if owner ~= nil and tostring(owner) ~= tostring(subject) then refuse "The profile is another person's." end

    return identity {
      subject = subject, email = text(user, "email"),
      displayName = text(user, "first_name", "last_name"),
      photoURL = text(user, "avatar"), claims = user,
    }
  end,
}
