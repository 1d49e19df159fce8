-- A vendor with OAuth 2 only: endpoints that take the access token return the person and the token's app.
return provider {
  id = "plain.example",
  name = "Plain",
  kind = "oauth2",
  hosts = { "api.plain.example" },
  authorize = "https://api.plain.example/authorize",
  token = "https://api.plain.example/token",
  userinfo = "https://api.plain.example/userinfo",
  revoke = "https://api.plain.example/revoke",
  scopes = { "openid", "email", "profile" },
  app = {
    "https://api.plain.example/introspect",
    basic = true,
    form = { token = "{accessToken}" },
    clientID = "client_id",
    subject = "sub",
  },
  identity = {
    subject = "sub",
    email = "email",
    emailVerified = "email_verified",
    displayName = "name",
    photoURL = "picture",
  },
}
