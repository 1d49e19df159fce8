-- Feishu, the Chinese cloud of Lark and Feishu: OAuth 2 by authorization code.
--
-- Facts: open.feishu.cn, "Get user_access_token" and "Get user information".
-- An admin creates an app on open.feishu.cn, registers the redirect URI, and takes the App ID as `clientID` and
-- the App Secret as `clientSecret`. Lark (larksuite.com) is another cloud with other people, hence a file of its own.
-- The vendor cannot tell which app an access token was issued to, so only codes are taken.
return provider {
  id = "feishu.cn",
  name = "Feishu",
  kind = "oauth2",
  documentation = {
    "https://open.feishu.cn/document/authentication-management/access-token/get-user-access-token",
    "https://open.feishu.cn/document/server-docs/authentication-management/login-state-management/get",
  },
  notes = "The open ID holds for one app only. The addresses need permissions of the app; the person's tenant writes "
    .. "them, and nothing says that they were verified. An app from the store signs in people of any tenant. Errors "
    .. "come as a code, with HTTP 200 too. Add the scope offline_access for refresh tokens, which work once. "
    .. "Not confirmed: whether code is ever a text in token answers.",
  subjectsPerApp = true,
  hosts = { "open.feishu.cn" },
  authorize = "https://accounts.feishu.cn/open-apis/authen/v1/authorize",
  token = "https://open.feishu.cn/open-apis/authen/v2/oauth/token",
  tokenRequest = { format = "json" },
  userinfo = "https://open.feishu.cn/open-apis/authen/v1/user_info",
  identity = {
    subject = "data.open_id",
    email = { "data.email", "data.enterprise_email" },
    displayName = { "data.name", "data.en_name" },
    photoURL = "data.avatar_url",
  },
}
