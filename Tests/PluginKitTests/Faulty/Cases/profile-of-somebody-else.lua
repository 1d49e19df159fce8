-- fails subject: GET /userinfo is about another person than the ID token: it ended with the sign-in of 8035
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  settings = { clientID = setting.text { "the app", required = true } },
  tokens = { login = { issuer = "https://vendor.example", keys = "https://vendor.example/keys", audience = "{clientID}" } },
  credentials = { idToken = { idToken = field.secret "an ID token" } },
  verify = function(credential, http, settings)
    local claims = jwt.verify("login", credential.idToken)
    local me = http.get("https://vendor.example/userinfo"):json()
    return identity { subject = claims.sub, displayName = pick(me, "name") }
  end,
}
