-- Bitbucket Cloud (bitbucket.org).
-- Facts: Atlassian's documentation "OAuth on Bitbucket Cloud" and "The Bitbucket Cloud REST API: users".
-- To set up: make an OAuth consumer in a workspace with the permissions Account: read and Account: email;
-- give its key as clientID and its secret as clientSecret.

return provider {
  id = "bitbucket.org", name = "Bitbucket", kind = "oauth2",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = {
    "https://support.atlassian.com/bitbucket-cloud/docs/use-oauth-on-bitbucket-cloud/",
    "https://developer.atlassian.com/cloud/bitbucket/rest/api-group-users/",
  },
  notes = "Only authorization codes: Bitbucket has no call that tells for which consumer an access token was made. "
    .. "The subject is `uuid` with its braces; user names and nicknames change. Tokens cannot be revoked. "
    .. "Not confirmed: that PKCE is enforced.",
  hosts = { "bitbucket.org", "api.bitbucket.org" },

  authorize = "https://bitbucket.org/site/oauth2/authorize",
  token = "https://bitbucket.org/site/oauth2/access_token",
  userinfo = "https://api.bitbucket.org/2.0/user",
  scopes = { "account", "email" },
  clientAuthentication = "basic",

  -- 403 is the answer to a token without the permission for e-mails: the person may still come in.
  profile = function(me, http, accessToken)
    local answer = http.get("https://api.bitbucket.org/2.0/user/emails", {
      bearer = accessToken, query = { pagelen = "100" }, statuses = { 403, 404 },
    })
    me.primary = answer.status == 200 and pick(answer:json(), "values[is_primary=true]") or nil
    return me
  end,

  identity = {
    subject = "uuid",
    email = "primary.email", emailVerified = "primary.is_confirmed",
    displayName = { "display_name", "nickname", "username" },
    photoURL = "links.avatar.href",
    screenName = { "nickname", "username" },
  },
}
