-- Shopify: the staff of one shop, by OAuth 2 with an online access token.
--
-- Facts: shopify.dev, "Authorization code grant" and "Online access tokens".
-- An admin creates an app, takes its client ID and secret, and names the shop that has installed it. The answer to
-- the code describes the person, and no other call does. Shopify cannot tell which app an access token was issued to,
-- so only codes are taken.
return provider {
  id = "shopify.com",
  name = "Shopify",
  kind = "oauth2",
  documentation = {
    "https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant",
    "https://shopify.dev/docs/apps/build/authentication-authorization/access-token-types/online",
  },
  notes = "Only people who work in the shop's admin, not its customers: their accounts are an OpenID provider of the "
    .. "shop's own. Configure one provider for each shop. Set scopes to what the app asks for. The callback's hmac is "
    .. "not read: the state binds the browser, and the shop is fixed. Online tokens cannot be renewed or revoked. "
    .. "Not confirmed: whether scopes may be left out; the form of errors; PKCE (not documented, therefore not sent).",
  hosts = { "{shop}" },
  settings = { shop = setting.host { "the shop's host, such as example.myshopify.com", required = true } },
  authorize = "https://{shop}/admin/oauth/authorize",
  token = "https://{shop}/admin/oauth/access_token",
  scopes = { "read_products" },
  scopeSeparator = ",",
  parameters = { ["grant_options[]"] = "per-user" },
  pkce = false,
  identity = {
    subject = "$token.associated_user.id",
    email = "$token.associated_user.email",
    emailVerified = "$token.associated_user.email_verified",
    displayName = text("$token.associated_user.first_name", "$token.associated_user.last_name"),
  },
}
