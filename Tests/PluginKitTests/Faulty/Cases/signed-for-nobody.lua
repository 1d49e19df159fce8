-- fails subject: whatever the vendor signs
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = {},
  settings = { secret = setting.secret { "the shared secret", required = true } },
  credentials = { login = { sso = field.text "the payload", sig = field.secret "the signature" } },
  verify = function(credential, http, settings)
    local signature = hash.hmac("sha256", settings.secret, credential.sso, "hex")
    if not hash.equals(credential.sig, signature) then refuse "The signature is wrong." end
    once("faulty " .. signature, 60)
    return identity { subject = "everybody" }
  end,
}
