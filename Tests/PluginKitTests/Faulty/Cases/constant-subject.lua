-- fails subject: the subject stays everybody whatever the vendor answers
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  credentials = { code = { code = field.secret "a code" } },
  verify = function(credential, http, settings)
    local me = http.get("https://vendor.example/me", { bearer = credential.code }):json()
    if pick(me, "name") ~= "Ada" then refuse "no" end
    return identity { subject = "everybody" }
  end,
}
