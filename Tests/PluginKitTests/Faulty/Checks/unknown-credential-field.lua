-- finds unknown-credential-field: There is no field of a credential "kode"
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  credentials = { code = { code = field.secret "a code" } },
  verify = function(credential, http, settings)
    local me = http.get("https://vendor.example/me", { bearer = credential.kode }):json()
    return identity { subject = pick(me, "id") }
  end,
}
