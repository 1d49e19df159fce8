-- fails replay: a day later
-- fails replay: it should have been refused as too old
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = {},
  settings = { secret = setting.secret { "the signing secret", required = true } },
  credentials = { authorizationCode = { query = field.text "the query of the callback, as it came" } },
  authorize = { "https://vendor.example/login", parameters = { state = "{state}", back = "{redirectURI}" }, callback = { query = "*" } },
  verify = function(credential, http, settings)
    local fields = url.query(credential.query)
    local names = {}
    for name in pairs(fields) do
      if name ~= "sig" then names[#names + 1] = name end
    end
    table.sort(names)
    local lines = {}
    for i, name in ipairs(names) do lines[i] = name .. "=" .. fields[name] end
    local expected = hash.hmac("sha256", settings.secret, table.concat(lines, "\n"))
    if not hash.equals(fields.sig or "", expected) then
      refuse { "The signature is wrong.", field = "query", step = "token" }
    end
    once(fields.sig, 600)
    return identity { subject = fields.id, displayName = fields.name, email = fields.email, claims = fields }
  end,
}
