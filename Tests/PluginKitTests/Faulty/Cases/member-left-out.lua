-- fails shape: GET /me leaves out profile: it ended with a mistake of the plug-in at member-left-out.lua:
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  credentials = { code = { code = field.secret "a code" } },
  verify = function(credential, http, settings)
    local me = http.get("https://vendor.example/me", { bearer = credential.code }):json()
    return identity { subject = pick(me, "id"), screenName = me.profile.nick }
  end,
}
