-- finds undeclared-host: emails.example is asked
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  credentials = { code = { code = field.secret "a code" } },
  verify = function(credential, http, settings)
    local me = http.get("https://vendor.example/me", { bearer = credential.code }):json()
    local base = "https://emails.example/v1"
    local emails = http.get(base .. "/emails"):json()
    return identity { subject = pick(me, "id"), email = pick(emails, "first") }
  end,
}
