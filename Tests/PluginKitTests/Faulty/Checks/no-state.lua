-- finds no-state: has no state
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  credentials = { authorizationCode = { code = field.secret "a code" } },
  authorize = {
    "https://vendor.example/authorize",
    parameters = { redirect_uri = "{redirectURI}" },
    callback = { code = "code" },
  },
  verify = function(credential, http, settings)
    local me = http.get("https://vendor.example/me", { bearer = credential.code }):json()
    return identity { subject = pick(me, "id") }
  end,
}
