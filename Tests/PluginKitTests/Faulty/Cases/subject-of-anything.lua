-- fails subject: gives true as id: it ended with the sign-in of true
-- fails subject: leaves out id: it ended with the sign-in of nil
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  credentials = { code = { code = field.secret "a code" } },
  verify = function(credential, http, settings)
    local me = http.get("https://vendor.example/me", { bearer = credential.code }):json()
    return identity { subject = tostring(pick(me, "id")) }
  end,
}
