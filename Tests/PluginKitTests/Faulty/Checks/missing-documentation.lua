-- finds missing-documentation: Nothing says
-- finds missing-fixture: missing-documentation.fixture.json
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  hosts = { "vendor.example" },
  credentials = { code = { code = field.secret "a code" } },
  verify = function(credential, http, settings)
    local me = http.get("https://vendor.example/me", { bearer = credential.code }):json()
    return identity { subject = pick(me, "id") }
  end,
}
