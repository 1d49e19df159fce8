-- fails app: takes an access token without a check of its app
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  credentials = { token = { accessToken = field.secret "a token" } },
  verify = function(credential, http, settings)
    local me = http.get("https://vendor.example/me", { bearer = credential.accessToken }):json()
    return identity { subject = pick(me, "id") }
  end,
}
