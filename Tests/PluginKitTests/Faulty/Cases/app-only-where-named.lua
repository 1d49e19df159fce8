-- fails app: leaves out app: it ended with the sign-in of 8035
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  settings = { clientID = setting.text "the app" },
  credentials = { token = { accessToken = field.secret "a token" } },
  verify = function(credential, http, settings)
    local me = http.get("https://vendor.example/me", { bearer = credential.accessToken }):json()
    local app = pick(me, "app") or settings.clientID
    if app ~= settings.clientID then refuse "another app's" end
    return identity { subject = pick(me, "id") }
  end,
}
