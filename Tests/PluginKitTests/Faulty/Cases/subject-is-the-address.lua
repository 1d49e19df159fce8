-- fails subject: the subject is the address, which a person can change
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  credentials = { code = { code = field.secret "a code" } },
  verify = function(credential, http, settings)
    local me = http.get("https://vendor.example/me", { bearer = credential.code }):json()
    return identity { subject = pick(me, "data.mail.address"), email = pick(me, "data.mail.address") }
  end,
}
