-- GitLab: gitlab.com, or an instance of one's own by the setting `instance`.
-- Facts: GitLab's documentation "GitLab as OpenID Connect identity provider".
-- To set up: register an application with the scopes openid, profile and email; give clientID and
-- clientSecret (none for an application that is not confidential).

return provider {
  id = "gitlab.com", name = "GitLab", kind = "oidc",
  api = 1, version = "1.0.0", license = "Apache-2.0",
  documentation = "https://docs.gitlab.com/integration/openid_connect_provider/",
  notes = "Choose the instance once: subjects are small numbers that begin at 1 on each instance, so after a "
    .. "change of the setting they would mean other people. On an instance of one's own email_verified is the "
    .. "word of its administrators. Without the scope email GitLab gives the public address instead. "
    .. "ID tokens hold the address and its verification; name, nickname and picture are in userinfo alone, "
    .. "which is asked if an access token came.",
  hosts = { "{instance}" },
  settings = {
    instance = setting.url {
      "the address of the instance, without a slash at the end", default = "https://gitlab.com",
    },
  },

  issuer = "{instance}",
  discovery = false,
  keys = "{instance}/oauth/discovery/keys",
  authorize = "{instance}/oauth/authorize",
  token = "{instance}/oauth/token",
  userinfo = "{instance}/oauth/userinfo",
  revoke = "{instance}/oauth/revoke",
  clientAuthentication = "post",
  scopes = { "openid", "profile", "email" },

  identity = {
    displayName = { "name", text("given_name", "family_name"), "preferred_username", "nickname" },
    screenName = { "preferred_username", "nickname" },
  },
}
