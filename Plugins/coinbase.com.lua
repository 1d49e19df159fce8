-- Coinbase: OAuth 2 by authorization code.
--
-- Facts: docs.cdp.coinbase.com, "Coinbase App OAuth2 Integration" (overview and reference).
-- An admin needs an OAuth client of the partner programme, and takes its client ID and secret. Coinbase cannot tell
-- which client an access token was issued to, so only codes are taken.
return provider {
  id = "coinbase.com",
  name = "Coinbase",
  kind = "oauth2",
  documentation = {
    "https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/overview",
    "https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/reference",
  },
  notes = "Coinbase gives new OAuth clients to partners only at present. It says of no address that it was verified. "
    .. "The e-mail needs the scope wallet:user:email; add offline_access for refresh tokens, which work once. "
    .. "Not confirmed: whether scopes may be separated by spaces as here, since the reference writes commas; "
    .. "what a later date in CB-VERSION changes.",
  hosts = { "login.coinbase.com", "api.coinbase.com" },
  authorize = "https://login.coinbase.com/oauth2/auth",
  token = "https://login.coinbase.com/oauth2/token",
  userinfo = { "https://api.coinbase.com/v2/user", headers = { ["CB-VERSION"] = "2026-11-01" } },
  revoke = "https://login.coinbase.com/oauth2/revoke",
  scopes = { "wallet:user:read", "wallet:user:email" },
  identity = {
    subject = "data.id",
    email = "data.email",
    displayName = "data.name",
    photoURL = "data.avatar_url",
  },
}
