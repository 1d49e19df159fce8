-- fails email: claims that the address is verified without a source
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  credentials = { code = { code = field.secret "a code" } },
  verify = function(credential, http, settings)
    local me = http.get("https://vendor.example/me", { bearer = credential.code }):json()
    local verified = true
    if pick(me, "email") then verified = 1 == 1 end
    return identity { subject = pick(me, "id"), email = pick(me, "email"), emailVerified = verified }
  end,
}
