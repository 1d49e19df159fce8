-- fails replay: it uses up nothing
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = {  },
  settings = { botToken = setting.secret { "the key", required = true } },
  credentials = { widget = { id = field.text "who", date = field.text "when", hash = field.secret "the signature" } },
  verify = function(credential, http, settings)
    local signature = hash.hmac("sha256", settings.botToken, "id=" .. credential.id .. "\ndate=" .. credential.date, "hex")
    if not hash.equals(credential.hash, signature) then refuse "not signed" end
    return identity { subject = credential.id }
  end,
}
