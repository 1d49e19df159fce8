-- finds template: names vendor.example of the template
return provider {
  id = "template",
  name = "Template",
  kind = "oauth2",
  documentation = "https://template.example/docs",
  hosts = { "vendor.example" },
  authorize = "https://vendor.example/authorize",
  token = "https://vendor.example/token",
  userinfo = "https://vendor.example/me",
  identity = { subject = "id" },
}
