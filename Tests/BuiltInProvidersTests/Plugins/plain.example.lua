-- A vendor with OAuth 2 only: who somebody is stands behind the access token, and so does whose token it is.
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
