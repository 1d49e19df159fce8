-- finds mutable-subject: The subject is made of login
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "oauth2",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  authorize = "https://vendor.example/authorize",
  token = "https://vendor.example/token",
  userinfo = "https://vendor.example/me",
  identity = { subject = function(me) return "user-" .. me.login end },
}
