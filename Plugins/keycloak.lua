-- Keycloak: OpenID Connect with one realm.
--
-- Facts: keycloak.org, "Securing applications with OpenID Connect".
-- An admin creates an OpenID Connect client in the realm, takes its ID and secret, and gives the realm's issuer,
-- https://HOST/realms/REALM (older servers: https://HOST/auth/realms/REALM).
return provider {
  id = "keycloak", name = "Keycloak", kind = "oidc",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = "https://www.keycloak.org/securing-apps/oidc-layers",
  notes = "Subjects of two realms can be the same where one was imported from the other: configure one provider for "
    .. "each realm. An admin of the realm may set `email_verified` by hand, and a realm may be told to trust the "
    .. "addresses of its own identity providers.",
  hosts = { "{issuer}" },
  settings = {
    issuer = setting.url { "the realm's issuer, such as https://id.example.com/realms/staff", required = true },
  },
  issuer = "{issuer}",
  discovery = false,
  authorize = "{issuer}/protocol/openid-connect/auth",
  token = "{issuer}/protocol/openid-connect/token",
  userinfo = "{issuer}/protocol/openid-connect/userinfo",
  keys = "{issuer}/protocol/openid-connect/certs",
  revoke = "{issuer}/protocol/openid-connect/revoke",
  algorithms = { "RS256", "PS256", "ES256" },
  scopes = { "openid", "profile", "email" },
  clientAuthentication = "post",

  profile = function(claims)
    -- Access and refresh tokens are JWTs by the same issuer and keys; an audience mapper makes them look alike.
    local kind = pick(claims, "typ")
    if kind ~= nil and kind ~= "ID" then refuse { "This is not an ID token.", step = "token" } end
    return claims
  end,
}
