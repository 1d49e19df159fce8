-- LINE (line.me).
-- Facts: LINE's documentation "LINE Login v2.1 API reference" and "Verify ID tokens".
-- To set up: make a LINE Login channel; give its ID as clientID and its secret as clientSecret. The
-- e-mail needs a permission that LINE grants on application.
-- ID tokens of the mobile SDK and LIFF are signed with ES256 and checked here. Those of the web flow are
-- signed with HS256 by the channel secret; LINE itself is asked about them.

-- LINE says of no address that it is verified, so there is no emailVerified.
local function person(claims)
  return identity {
    subject = pick(claims, "sub"),
    email = text(claims, "email"),
    displayName = text(claims, "name"),
    photoURL = text(claims, "picture"),
    claims = claims,
  }
end

local builders = {}

function builders.idToken(credential)
  return person(jwt.verify("login", credential.idToken, { nonce = credential.nonce }))
end

function builders.authorizationCode(credential, http, settings)
  local tokens = oauth.exchange(credential, {
    token = "https://api.line.me/oauth2/v2.1/token",
    clientID = settings.clientID, clientSecret = settings.clientSecret, clientAuthentication = "post",
  })
  if not tokens.idToken then
    return refuse { "LINE gave no ID token.", step = "exchange", remedy = "Ask for the scope openid." }
  end
  local claims = http.post("https://api.line.me/oauth2/v2.1/verify", {
    form = { id_token = tokens.idToken, client_id = settings.clientID, nonce = credential.nonce },
  }):json()
  if pick(claims, "iss") ~= "https://access.line.me" or pick(claims, "aud") ~= settings.clientID then
    return refuse { "The ID token is not one for this channel.", step = "token" }
  end
  if credential.nonce and not hash.equals(text(claims, "nonce") or "", credential.nonce) then
    return refuse { "The ID token was not made for this sign-in.", field = "nonce", step = "token" }
  end
  return person(claims)
end

function builders.accessToken(credential, http, settings)
  local token = http.get("https://api.line.me/oauth2/v2.1/verify", {
    query = { access_token = credential.accessToken },
  }):json()
  local left = pick(token, "expires_in")
  if pick(token, "client_id") ~= settings.clientID or type(left) ~= "number" or left <= 0 then
    return refuse { "The access token is not a valid one of this channel.", field = "accessToken", step = "token" }
  end
  local me = http.get("https://api.line.me/v2/profile", { bearer = credential.accessToken }):json()
  return identity {
    subject = pick(me, "userId"),
    displayName = text(me, "displayName"),
    photoURL = text(me, "pictureUrl"),
    claims = me,
  }
end

return provider {
  id = "line.me",
  name = "LINE",
  kind = "custom",
  documentation = {
    "https://developers.line.biz/en/reference/line-login/",
    "https://developers.line.biz/en/docs/line-login/verify-id-token/",
  },
  notes = "Subjects are particular to the LINE provider that the channel belongs to: channels of two providers "
    .. "see one person as two. The e-mail is in ID tokens only and LINE does not vouch for it. "
    .. "Not confirmed: that LINE refuses an ID token whose nonce is not the one sent along (it is compared here too).",
  subjectsPerApp = true,
  hosts = { "api.line.me" },
  settings = {
    clientID = setting.text { "the ID of the LINE Login channel", required = true },
    clientSecret = setting.secret "the secret of the channel; needed for authorization codes",
  },

  credentials = {
    idToken = {
      idToken = field.secret "the ID token of the LINE SDK or LIFF",
      nonce = field.secret { "the nonce that was given to the SDK", optional = true },
    },
    accessToken = { accessToken = field.secret "an access token of the LINE SDK" },
    authorizationCode = {
      code = field.secret "the code of the callback",
      redirectURI = field.url "the redirect URI of the request",
      codeVerifier = field.secret { "the PKCE verifier", optional = true },
      nonce = field.secret { "the nonce of the request", optional = true },
    },
  },
  tokens = {
    login = {
      issuer = "https://access.line.me", keys = "https://api.line.me/oauth2/v2.1/certs",
      audience = "{clientID}", algorithms = { "ES256" },
    },
  },
  authorize = {
    "https://access.line.me/oauth2/v2.1/authorize",
    parameters = {
      response_type = "code", client_id = "{clientID}", redirect_uri = "{redirectURI}", state = "{state}",
      scope = "openid profile email", nonce = "{nonce}",
      code_challenge = "{codeChallenge}", code_challenge_method = "S256",
    },
    callback = { code = "code" },
  },

  verify = function(credential, http, settings)
    local build = builders[credential.builder]
    if not build then return refuse "LINE has no such credential." end
    return build(credential, http, settings)
  end,
}
