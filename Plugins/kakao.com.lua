-- Kakao Login by OpenID Connect: an ID token of the Kakao SDK, or an authorization code.
--
-- Facts: developers.kakao.com, "Kakao Login" (REST API, OpenID Connect, user information).
-- An admin switches OpenID Connect on for the app, takes the REST API key as `clientID` and, where the secret
-- is switched on, the client secret. Native and JavaScript keys of the same app belong in `audiences`.
-- An ID token speaks of no verification, so the address is looked up where an access token came with it.
-- Events (SSF) need this server's address as the app's receiver of account status changes.
return provider {
  id = "kakao.com", name = "Kakao", kind = "oidc",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = {
    "https://developers.kakao.com/docs/latest/en/kakaologin/rest-api",
    "https://developers.kakao.com/docs/latest/en/kakaologin/utilize",
  },
  notes = "Without an access token the e-mail address stays unverified. Scopes that the app has no consent item for "
    .. "are refused by Kakao (KOE205): set `scopes` to what the app has. Only ID tokens and codes are taken: an access "
    .. "token names the app by a number (app_id), not by a key. To revoke a token is to unlink the person. "
    .. "Not confirmed: that PKCE is enforced; the form of Kakao's events.",
  subjectsPerApp = true,
  hosts = { "kauth.kakao.com", "kapi.kakao.com" },
  issuer = "https://kauth.kakao.com",
  discovery = false,
  authorize = "https://kauth.kakao.com/oauth/authorize",
  token = "https://kauth.kakao.com/oauth/token",
  keys = "https://kauth.kakao.com/.well-known/jwks.json",
  userinfo = false,
  revoke = { "https://kapi.kakao.com/v1/user/unlink", method = "POST" },
  scopes = { "openid", "account_email", "profile_nickname", "profile_image" },
  clientAuthentication = "post",
  identity = { displayName = "nickname", photoURL = "picture" },

  profile = function(claims, http, accessToken)
    claims.email_verified = nil
    if not accessToken then return claims end
    local me = http.get("https://kapi.kakao.com/v2/user/me", { bearer = accessToken }):json()
    local id = pick(me, "id")
    if math.type(id) ~= "integer" or tostring(id) ~= claims.sub then
      refuse { "The access token belongs to another person than the ID token.", step = "profile" }
    end
    -- A valid address is one that no other Kakao account has taken over since.
    claims.email = pick(me, "kakao_account.email")
    claims.email_verified = pick(me, "kakao_account.is_email_valid") == true
      and pick(me, "kakao_account.is_email_verified") == true
    claims.nickname = pick(me, "kakao_account.profile.nickname") or claims.nickname
    claims.picture = pick(me, "kakao_account.profile.profile_image_url") or claims.picture
    return claims
  end,

  tokens = {
    events = {
      issuer = "https://kauth.kakao.com", keys = "https://kauth.kakao.com/.well-known/jwks.json",
      audience = "{clientID}",
    },
  },
  events = function(request)
    return { events = jwt.events("events", request.body), response = { status = 202 } }
  end,
}
