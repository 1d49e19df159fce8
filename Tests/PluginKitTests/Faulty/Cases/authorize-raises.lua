-- fails browser: No browser can start a sign-in
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  settings = { clientID = setting.text { "the app's ID", required = true } },
  credentials = { authorizationCode = { code = field.secret "the code" } },
  authorize = function(request, settings)
    return "https://vendor.example/login?state=" .. request.state .. "&back=" .. url.escape(request.redirectUri)
  end,
  verify = function(credential, http, settings)
    local me = http.post("https://vendor.example/token", { form = { code = credential.code } }):json()
    return identity { subject = pick(me, "id"), displayName = pick(me, "name") }
  end,
}
