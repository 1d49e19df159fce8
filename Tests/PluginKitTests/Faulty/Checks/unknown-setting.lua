-- finds unknown-setting: There is no setting "clientId"
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  settings = { clientID = setting.text "the app" },
  credentials = { code = { code = field.secret "a code" } },
  verify = function(credential, http, settings)
    local me = http.get("https://vendor.example/me", { bearer = credential.code }):json()
    if pick(me, "app") ~= settings.clientId then refuse "another app's" end
    return identity { subject = pick(me, "id") }
  end,
}
