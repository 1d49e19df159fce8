-- fails transport: GET /me answers 500
-- fails transport: GET /me redirects to another host
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  credentials = { code = { id = field.text "who" } },
  verify = function(credential, http, settings)
    local ok, me = pcall(function() return http.get("https://vendor.example/me"):json() end)
    return identity { subject = credential.id, displayName = ok and pick(me, "name") or nil }
  end,
}
