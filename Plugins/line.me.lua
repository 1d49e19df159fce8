-- LINE (line.me).
-- Facts: LINE's documentation "LINE Login v2.1 API reference" and "Verify ID tokens".
-- To set up: make a LINE Login channel; give its ID as clientID and its secret as clientSecret. The
-- e-mail needs a permission that LINE grants on application.
-- ID tokens of the mobile SDK and LIFF are signed with ES256, those of the web flow with HS256 by the channel
-- secret, which no app on a device may have. So each credential takes its own kind of token.

return provider {
  id = "line.me", name = "LINE", kind = "custom",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = {
    "https://developers.line.biz/en/reference/line-login/",
    "https://developers.line.biz/en/docs/line-login/verify-id-token/",
  },
  notes = "Subjects are particular to the LINE provider that the channel belongs to: channels of two providers "
    .. "see one person as two. The e-mail is in ID tokens only and LINE does not vouch for it.",
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
    device = {
      issuer = "https://access.line.me", keys = "https://api.line.me/oauth2/v2.1/certs",
      audience = "{clientID}", algorithms = { "ES256" },
    },
    web = {
      issuer = "https://access.line.me", audience = "{clientID}", algorithms = { "HS256" }, secret = "clientSecret",
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
    if credential.builder == "accessToken" then
      local token = http.get("https://api.line.me/oauth2/v2.1/verify", {
        query = { access_token = credential.accessToken },
      }):json()
      local left = pick(token, "expires_in")
      if pick(token, "client_id") ~= settings.clientID or type(left) ~= "number" or left <= 0 then
        refuse { "The access token is not a valid one of this channel.", field = "accessToken", step = "token" }
      end
      local me = http.get("https://api.line.me/v2/profile", { bearer = credential.accessToken }):json()
      return identity {
        subject = pick(me, "userId"), displayName = text(me, "displayName"),
        photoURL = text(me, "pictureUrl"), claims = me,
      }
    end

    local kind, token = "device", credential.idToken
    if credential.builder == "authorizationCode" then
      kind, token = "web", oauth.exchange(credential, {
        token = "https://api.line.me/oauth2/v2.1/token", clientSecret = settings.clientSecret,
      }).idToken
      if not token then
        refuse { "LINE gave no ID token.", step = "exchange", remedy = "Ask for the scope openid." }
      end
    end
    local claims = jwt.verify(kind, token, { nonce = credential.nonce })
    -- LINE says of no address that it is verified, so there is no emailVerified.
    return identity {
      subject = pick(claims, "sub"), email = text(claims, "email"), displayName = text(claims, "name"),
      photoURL = text(claims, "picture"), claims = claims,
    }
  end,
}
