-- Lark, the international cloud of Lark and Feishu: OAuth 2 by authorization code.
--
-- Facts: open.larksuite.com, "Get user_access_token" and "Get user information".
-- An admin creates an app on open.larksuite.com, registers the redirect URI, and takes the App ID as `clientID` and
-- the App Secret as `clientSecret`. Feishu (feishu.cn) is another cloud with other people, hence a file of its own.
-- The vendor cannot tell which app an access token was issued to, so only codes are taken.
return provider {
  id = "larksuite.com",
  name = "Lark",
  kind = "oauth2",
  documentation = {
    "https://open.larksuite.com/document/authentication-management/access-token/get-user-access-token",
    "https://open.larksuite.com/document/server-docs/authentication-management/login-state-management/get",
  },
  notes = "The open ID holds for one app only. The addresses need permissions of the app; the person's tenant writes "
    .. "them, and nothing says that they were verified. An app from the store signs in people of any tenant. Errors "
    .. "come as a code, with HTTP 200 too. Add the scope offline_access for refresh tokens, which work once. "
    .. "Not confirmed: whether code is ever a text in token answers.",
  subjectsPerApp = true,
  hosts = { "open.larksuite.com" },
  authorize = "https://accounts.larksuite.com/open-apis/authen/v1/authorize",
  token = "https://open.larksuite.com/open-apis/authen/v2/oauth/token",
  tokenRequest = { format = "json" },
  userinfo = "https://open.larksuite.com/open-apis/authen/v1/user_info",
  identity = {
    subject = "data.open_id",
    email = { "data.email", "data.enterprise_email" },
    displayName = { "data.name", "data.en_name" },
    photoURL = "data.avatar_url",
  },
}
