-- finds verified-without-source: email is the address itself
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "oauth2",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  authorize = "https://vendor.example/authorize",
  token = "https://vendor.example/token",
  userinfo = "https://vendor.example/me",
  identity = { subject = "id", email = "email", emailVerified = "email" },
}
