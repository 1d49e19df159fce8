-- fails browser: The address has no state, so every callback is refused
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  settings = { clientID = setting.text { "the app's ID", required = true } },
  credentials = { authorizationCode = { code = field.secret "the code" } },
  authorize = { "https://vendor.example/login", parameters = { client_id = "{clientID}", redirect_uri = "{redirectURI}" } },
  verify = function(credential, http, settings)
    local me = http.post("https://vendor.example/token", { form = { code = credential.code } }):json()
    return identity { subject = pick(me, "id"), displayName = pick(me, "name") }
  end,
}
