-- finds unused-host: hosts names other.example
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "oauth2",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example", "other.example" },
  authorize = "https://vendor.example/authorize",
  token = "https://vendor.example/token",
  userinfo = "https://vendor.example/me",
  identity = { subject = "id" },
}
