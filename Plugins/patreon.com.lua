-- Patreon: OAuth 2 by authorization code, API version 2.
--
-- Facts: docs.patreon.com, "OAuth" and "APIv2: Identity".
-- An admin registers a client of API version 2 on patreon.com/portal and takes its client ID and secret.
-- Patreon cannot tell which client an access token was issued to, so only codes are taken.
return provider {
  id = "patreon.com", name = "Patreon", kind = "oauth2",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = "https://docs.patreon.com/#get-api-oauth2-v2-identity",
  notes = "The e-mail address is there with the scope identity[email] only. Not confirmed: that PKCE is enforced.",
  hosts = { "www.patreon.com" },
  authorize = "https://www.patreon.com/oauth2/authorize",
  token = "https://www.patreon.com/api/oauth2/token",
  userinfo = {
    "https://www.patreon.com/api/oauth2/v2/identity",
    query = { ["fields[user]"] = "email,full_name,image_url,is_email_verified,vanity" },
    headers = { ["User-Agent"] = "AuthGraph" },
  },
  scopes = { "identity", "identity[email]" },
  clientAuthentication = "post",
  identity = {
    subject = "data.id",
    email = "data.attributes.email",
    emailVerified = "data.attributes.is_email_verified",
    displayName = {
      "data.attributes.full_name", text("data.attributes.first_name", "data.attributes.last_name"),
      "data.attributes.vanity",
    },
    photoURL = "data.attributes.image_url",
    screenName = "data.attributes.vanity",
  },
}
