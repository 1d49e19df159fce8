-- finds no-pkce: without PKCE
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "oauth2",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  authorize = "https://vendor.example/authorize",
  token = "https://vendor.example/token",
  userinfo = "https://vendor.example/me",
  pkce = false,
  identity = { subject = "id" },
}
