-- fails credential: the credential has more behind its id: it ended with the sign-in of 80351
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = {  },
  settings = { botToken = setting.secret { "the key", required = true } },
  credentials = { widget = { id = field.text "who", date = field.text "when", hash = field.secret "the signature" } },
  verify = function(credential, http, settings)
    local signature = hash.hmac("sha256", settings.botToken, "date=" .. credential.date, "hex")
    if not hash.equals(credential.hash, signature) then refuse "not signed" end
    once("faulty " .. signature, 600)
    return identity { subject = credential.id }
  end,
}
