-- Microsoft Entra ID and personal Microsoft accounts (microsoft.com).
-- Facts: Microsoft's documentation "ID token claims reference", "Migrate away from using email claims"
-- and "OpenID Connect on the Microsoft identity platform".
-- To set up: register an app, give clientID, clientSecret and the IDs of the tenants that may come in;
-- 9188040d-6c67-4c5b-b112-36a304b66dad is the one of personal accounts, and "any" is every tenant. For
-- e-mails add the optional claims `email` and `xms_edov` to the ID token. `authority` is where people
-- without a chosen tenant sign in: common, organizations, consumers or the ID of the only tenant.

local function identifier(value)
  return type(value) == "string" and value:match("^[%x%-]+$") or nil
end

return provider {
  id = "microsoft.com", name = "Microsoft", kind = "oidc",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = {
    "https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference",
    "https://learn.microsoft.com/entra/identity-platform/migrate-off-email-claim-authorization",
  },
  notes = "An administrator of any tenant can write any address into `email`: it counts as verified only with "
    .. "xms_edov, which is true, or 1, or one of them as a text. preferred_username and upn can change and are only "
    .. "shown. Tokens of the v1.0 endpoint (issuer sts.windows.net) are refused. Access tokens are made for Microsoft "
    .. "Graph, not for this app, and are not taken. Microsoft revokes no tokens by RFC 7009. "
    .. "Records of Firebase name a person by the bare object ID; the first sign-in finds it, once. "
    .. "Tokens of apps with claims mapping are signed with keys of the app, which the common set lacks: refused. "
    .. "Not confirmed: that Firebase has the last sixteen digits for personal accounts.",
  hosts = { "login.microsoftonline.com" },
  settings = {
    tenants = setting.list { "the IDs (not names) of the tenants whose people may sign in, in lower case; or any", required = true },
    authority = setting.text { "the authority for browsers: common, organizations, consumers or a tenant's ID", default = "common" },
  },

  issuer = { "https://login.microsoftonline.com/{tenants}/v2.0", any = "tid" },
  keyIssuer = "token",
  discovery = false,
  keys = "https://login.microsoftonline.com/common/discovery/v2.0/keys",
  authorize = "https://login.microsoftonline.com/{authority}/oauth2/v2.0/authorize",
  token = "https://login.microsoftonline.com/{authority}/oauth2/v2.0/token",
  -- An address from userinfo would come without xms_edov, so it is never asked.
  userinfo = false,
  clientAuthentication = "post",
  scopes = { "openid", "email", "profile" },

  profile = function(claims)
    local tenant = identifier(pick(claims, "tid"))
    if not tenant or pick(claims, "iss") ~= "https://login.microsoftonline.com/" .. tenant .. "/v2.0" then
      return refuse { "The tenant in the ID token is not the one that issued it.", step = "token" }
    end
    return claims
  end,

  identity = {
    subject = function(claims)
      local tenant, object = identifier(pick(claims, "tid")), identifier(pick(claims, "oid"))
      return tenant and object and tenant .. "." .. object or nil
    end,
    -- Firebase, whose records an import brings, keeps what Microsoft Graph calls the id: the bare object ID, and for
    -- personal accounts its last sixteen digits. Microsoft alone makes object IDs, at random, one in each directory:
    -- no tenant chooses another one's.
    formerSubjects = function(claims)
      local tenant, object = identifier(pick(claims, "tid")), identifier(pick(claims, "oid"))
      if not tenant or not object then return nil end
      local personal = tenant == "9188040d-6c67-4c5b-b112-36a304b66dad"
      local head, tail = object:match("^00000000%-0000%-0000%-(%x%x%x%x)%-(%x+)$")
      return personal and head and { object, head .. tail } or { object }
    end,
    emailVerified = { "xms_edov", is = { true, 1, "1", "true" } },
    displayName = { "name", text("given_name", "family_name"), "preferred_username" },
  },
}
