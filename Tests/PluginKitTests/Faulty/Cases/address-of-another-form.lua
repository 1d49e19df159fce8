-- fails email: the vendor gives 42 as the address: it ended with a mistake
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  credentials = { code = { code = field.secret "a code" } },
  verify = function(credential, http, settings)
    local me = http.get("https://vendor.example/me", { bearer = credential.code }):json()
    local email = pick(me, "email")
    return identity { subject = pick(me, "id"), email = email and email:lower() }
  end,
}
