-- Naver Login: OAuth 2 by authorization code.
--
-- Facts: developers.naver.com, "Login API" (authorization, token, member profile).
-- An admin registers an application for Naver Login and takes its client ID and secret; which of name, e-mail
-- and picture may be read is chosen there, so nothing is asked for by scope.
-- Naver cannot tell which application an access token was issued to, so only codes are taken.
return provider {
  id = "naver.com", name = "Naver", kind = "oauth2",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = {
    "https://developers.naver.com/docs/login/api/api.md",
    "https://developers.naver.com/docs/login/profile/profile.md",
  },
  notes = "The identifier holds for one application only. The e-mail address is a contact address that the person "
    .. "chose; nothing says that it was verified. Naver documents `state` for the token request too; it is not "
    .. "sent, as other clients do not send it either. "
    .. "Not confirmed: that PKCE is enforced; the newer OpenID Connect service.",
  subjectsPerApp = true,
  hosts = { "nid.naver.com", "openapi.naver.com" },
  authorize = "https://nid.naver.com/oauth2.0/authorize",
  token = "https://nid.naver.com/oauth2.0/token",
  userinfo = "https://openapi.naver.com/v1/nid/me",
  scopes = {},
  clientAuthentication = "post",
  revoke = function(token, http, settings)
    local answer = http.post("https://nid.naver.com/oauth2.0/token", { form = {
      grant_type = "delete", service_provider = "NAVER", access_token = token.value,
      client_id = settings.clientID, client_secret = settings.clientSecret,
    } }):json()
    if pick(answer, "result") ~= "success" then refuse "Naver did not revoke the access token." end
  end,
  identity = {
    subject = "response.id",
    email = "response.email",
    displayName = { "response.name", "response.nickname" },
    photoURL = "response.profile_image",
  },

  profile = function(profile)
    -- Naver reports failures in the body, with HTTP 200 too.
    if pick(profile, "resultcode") ~= "00" then
      refuse { "Naver did not give the profile away.", step = "profile" }
    end
    return profile
  end,
}
