-- finds caught-failure: http.get
-- finds caught-failure: refuse
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  credentials = { code = { id = field.text "who" } },
  verify = function(credential, http, settings)
    local ok, me = pcall(http.get, "https://vendor.example/me")
    xpcall(function()
      if not ok then refuse "nobody" end
    end, log.warn)
    return identity { subject = pick(me:json(), "id") }
  end,
}
