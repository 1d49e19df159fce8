-- finds plain-http: vendor.example is asked without TLS
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  credentials = { code = { code = field.secret "a code" } },
  verify = function(credential, http, settings)
    local me = http.get("http://vendor.example/me"):json()
    return identity { subject = pick(me, "id") }
  end,
}
