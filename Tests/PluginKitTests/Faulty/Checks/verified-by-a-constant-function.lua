-- finds verified-without-source: without a word of the vendor
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "oauth2",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  authorize = "https://vendor.example/authorize",
  token = "https://vendor.example/token",
  userinfo = "https://vendor.example/me",
  identity = { subject = "id", email = "email", emailVerified = function() return true end },
}
