-- finds open-comparison: compared with ~=
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = {},
  settings = { key = setting.secret { "the key", required = true } },
  credentials = { widget = { id = field.text "who", date = field.text "when", hash = field.secret "the signature" } },
  verify = function(credential, http, settings)
    local expected = hash.hmac("sha256", settings.key, credential.id .. credential.date)
    if expected ~= credential.hash then refuse "not signed" end
    once(credential.id .. credential.date, 600)
    return identity { subject = credential.id }
  end,
}
