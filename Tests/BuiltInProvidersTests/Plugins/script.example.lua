-- A vendor whose whole protocol is written out: token exchange, ID token and profile.
local host = "https://id.script.example"

return provider {
  id = "script.example",
  name = "Script",
  hosts = { "id.script.example" },
  settings = {
    clientID = setting.text { "the client's ID", required = true },
    clientSecret = setting.secret "the client's secret",
  },
  credentials = {
    idToken = {
      idToken = field.secret "the ID token that the vendor gave the app",
      accessToken = field.secret { "the access token from the same sign-in", optional = true },
      nonce = field.secret { "the raw nonce of the request", optional = true },
    },
    authorizationCode = {
      code = field.secret "the authorization code from the callback",
      redirectURI = field.url "the redirect URI of the request",
      codeVerifier = field.secret { "the PKCE verifier of the request", optional = true },
      nonce = field.secret { "the nonce of the request", optional = true },
    },
  },
  tokens = {
    login = {
      issuer = host,
      keys = host .. "/jwks",
      audience = "{clientID}",
      algorithms = { "ES256" },
    },
  },
  authorize = {
    host .. "/authorize",
    parameters = {
      response_type = "code",
      client_id = "{clientID}",
      redirect_uri = "{redirectURI}",
      scope = "openid email profile",
      state = "{state}",
      nonce = "{nonce}",
      code_challenge = "{codeChallenge}",
      code_challenge_method = "S256",
    },
  },

  verify = function(credential, http, settings)
    local idToken, accessToken = credential.idToken, credential.accessToken
    if credential.builder == "authorizationCode" then
      local tokens = oauth.exchange(credential, {
        token = host .. "/token",
        clientID = settings.clientID,
        clientSecret = settings.clientSecret,
      })
      idToken, accessToken = tokens.idToken, tokens.accessToken
      if not idToken then
        refuse { "The vendor gave no ID token for the authorization code", step = "exchange" }
      end
    end
    local claims = jwt.verify("login", idToken, { nonce = credential.nonce, accessToken = accessToken })
    local profile = claims
    if not claims.email and accessToken then
      profile = http.get(host .. "/userinfo", { bearer = accessToken }):json()
      if profile.sub ~= claims.sub then
        refuse { "The profile is another subject's than the ID token", field = "sub" }
      end
    end
    return identity {
      subject = claims.sub,
      email = profile.email,
      emailVerified = profile.email_verified == true,
      displayName = profile.name,
      photoURL = profile.picture,
      claims = claims,
    }
  end,
}
