-- finds verified-of-another: [primary=true] and [verified=true]
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "oauth2",
  documentation = "https://vendor.example/docs",
  hosts = { "vendor.example" },
  userinfo = "https://vendor.example/me",
  app = { "https://vendor.example/app", clientID = "client" },
  identity = {
    subject = "id",
    email = "emails[primary=true].email",
    emailVerified = "emails[verified=true].verified",
  },
}
