-- fails transport: GET /me answers 401
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  credentials = { code = { id = field.text "who" } },
  verify = function(credential, http, settings)
    http.get("https://vendor.example/me", { statuses = { 401 } })
    return identity { subject = credential.id }
  end,
}
