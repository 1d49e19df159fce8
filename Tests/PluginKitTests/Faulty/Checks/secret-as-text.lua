-- finds secret-as-text: The field ticket
-- finds secret-as-text: The setting apiKey
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  settings = { apiKey = setting.text "a key" },
  credentials = { ticket = { ticket = field.text "a ticket" } },
  verify = function(credential, http, settings)
    local me = http.get("https://vendor.example/me", { query = { ticket = credential.ticket, key = settings.apiKey } }):json()
    return identity { subject = pick(me, "id") }
  end,
}
