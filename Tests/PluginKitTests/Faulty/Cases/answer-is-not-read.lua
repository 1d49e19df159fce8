-- fails transport: GET /check answers garbage
-- fails transport: GET /check answers nothing
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  credentials = { code = { code = field.secret "a code" } },
  verify = function(credential, http, settings)
    http.get("https://vendor.example/check")
    local me = http.get("https://vendor.example/me", { bearer = credential.code }):json()
    return identity { subject = pick(me, "id") }
  end,
}
