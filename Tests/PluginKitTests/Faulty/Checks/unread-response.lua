-- finds unread-response: pick reads a response
-- finds unread-response: A response has no id
-- finds unread-response: json is called with a dot
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  credentials = { code = { code = field.secret "a code" } },
  verify = function(credential, http, settings)
    local me = http.get("https://vendor.example/me", { bearer = credential.code })
    local more = http.get("https://vendor.example/more").json()
    return identity { subject = pick(me, "id") or me.id, claims = more }
  end,
}
