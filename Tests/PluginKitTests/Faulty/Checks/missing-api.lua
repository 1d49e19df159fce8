-- finds missing-api: which language
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "oauth2",
  version = "1.0.0",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  authorize = "https://vendor.example/authorize",
  token = "https://vendor.example/token",
  userinfo = "https://vendor.example/me",
  identity = { subject = "id" },
}
