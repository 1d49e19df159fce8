-- fails browser: The address has no challenge for the code verifier
-- fails browser: The address has no client ID
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  settings = { clientID = setting.text { "the app's ID", required = true } },
  credentials = { authorizationCode = { code = field.secret "the code", codeVerifier = field.secret { "the verifier", optional = true } } },
  authorize = { "https://vendor.example/login", parameters = { state = "{state}", redirect_uri = "{redirectURI}" } },
  verify = function(credential, http, settings)
    local me = http.post("https://vendor.example/token", { form = { code = credential.code } }):json()
    return identity { subject = pick(me, "id"), displayName = pick(me, "name") }
  end,
}
