-- finds unknown-request-field: There is no field of the request "redirectUri"
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  credentials = { authorizationCode = { code = field.secret "a code" } },
  authorize = function(request)
    return "https://vendor.example/authorize?state=" .. request.state .. "&to=" .. url.escape(request.redirectUri)
  end,
  verify = function(credential, http, settings)
    local me = http.get("https://vendor.example/me", { bearer = credential.code }):json()
    return identity { subject = pick(me, "id") }
  end,
}
