-- fails token: the ID token is a token with algorithm none: it ended with the sign-in of 8035
-- fails token: the ID token is a token for another app
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  settings = { clientID = setting.text { "the app", required = true } },
  tokens = { login = { issuer = "https://vendor.example", keys = "https://vendor.example/keys", audience = "{clientID}" } },
  credentials = { idToken = { idToken = field.text "an ID token" } },
  verify = function(credential, http, settings)
    local payload = credential.idToken:match "^[^.]*%.([^.]*)%."
    if not payload then refuse "no token" end
    local claims = json.decode(base64.decodeURL(payload))
    return identity { subject = pick(claims, "sub") }
  end,
}
