-- Amazon Cognito: OpenID Connect with one user pool.
--
-- Facts: docs.aws.amazon.com/cognito, "User pool endpoints and managed login reference", "Verifying JSON web tokens".
-- An admin gives the pool's issuer, https://cognito-idp.REGION.amazonaws.com/POOL, the pool's domain (its own or
-- NAME.auth.REGION.amazoncognito.com) and the client ID and secret of an app client with the authorization code grant.
return provider {
  id = "cognito", name = "Amazon Cognito", kind = "oidc",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = {
    "https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-userpools-server-contract-reference.html",
    "https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-id-token.html",
  },
  notes = "userInfo spells booleans as text, ID tokens as booleans. Where the app client may write the attribute, "
    .. "people change their address by themselves and Cognito then says false until it is confirmed. "
    .. "A pool that maps email_verified from a provider of its own repeats that provider's word.",
  hosts = { "{issuer}", "{domain}" },
  settings = {
    issuer = setting.url { "the pool's issuer, https://cognito-idp.REGION.amazonaws.com/POOL", required = true },
    domain = setting.host { "the pool's domain, at which people sign in", required = true },
  },
  issuer = "{issuer}",
  discovery = false,
  authorize = "https://{domain}/oauth2/authorize",
  token = "https://{domain}/oauth2/token",
  userinfo = "https://{domain}/oauth2/userInfo",
  keys = "{issuer}/.well-known/jwks.json",
  revoke = "https://{domain}/oauth2/revoke",
  scopes = { "openid", "profile", "email" },
  clientAuthentication = "basic",
  textBooleans = true,
  identity = { screenName = { "preferred_username", '["cognito:username"]' } },

  profile = function(claims)
    -- Access tokens are JWTs by the same issuer and keys.
    if pick(claims, "token_use") ~= "id" then refuse { "This is not an ID token.", step = "token" } end
    return claims
  end,
}
