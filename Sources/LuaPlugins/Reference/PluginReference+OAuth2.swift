extension PluginWord {
  /// The fields of `kind = "oauth2"`, most of which `oidc` has too.
  static let oauth2 = [
    PluginWord(
      .oauth2, "authorize", forms: ["authorize = \"https://discord.com/oauth2/authorize\""],
      "The address at which a browser signs in. State, PKCE and the redirect URI are added. Together with token "
        + "it adds the credential authorizationCode."),
    PluginWord(
      .oauth2, "token", forms: ["token = \"https://discord.com/api/v10/oauth2/token\""],
      "The endpoint that exchanges an authorization code."),
    PluginWord(
      .oauth2, "tokenRequest",
      forms: [
        "tokenRequest = { format = \"json\", headers = { [\"Notion-Version\"] = \"2022-06-28\" } }",
        "tokenRequest = { names = { client_id = \"client_key\" }, fields = { app = \"{appName}\" } }",
        "tokenRequest = { method = \"GET\", names = { client_id = \"appid\", redirect_uri = false } }",
      ],
      "The form of the requests to token, for a vendor that departs from RFC 6749. method is \"POST\" or \"GET\", and "
        + "format \"form\" or \"json\". names gives client_id, client_secret, code, code_verifier, grant_type, "
        + "redirect_uri and refresh_token other names, or omits one with false; the authorize address uses the new "
        + "names too, and omits none. fields and headers are texts with settings. Use it also for oidc."
    ),
    PluginWord(
      .oauth2, "refresh",
      forms: [
        "refresh = \"https://api.example.com/oauth/renew\"",
        "refresh = { \"https://api.example.com/oauth/renew\", names = { client_id = \"appid\" } }",
      ],
      "The endpoint that renews tokens, if it is not token. The table takes the fields of tokenRequest, which it "
        + "otherwise shares. custom has a function instead."),
    PluginWord(
      .oauth2, "scopeSeparator", forms: ["scopeSeparator = \",\""],
      "The text between scopes in the authorize address; a space by default."),
    PluginWord(
      .oauth2, "userinfo",
      forms: [
        "userinfo = \"https://discord.com/api/v10/users/@me\"",
        "userinfo = { \"https://api.example.com/me\", headers = { [\"Client-Id\"] = \"{clientID}\" } }",
      ],
      "The endpoint that describes the owner of an access token. The table takes method, headers, query, form, "
        + "json, basic and scheme, the word before the token: \"Bearer\" by default, or \"none\". {accessToken} "
        + "stands for the token in headers, query, form and json."),
    PluginWord(
      .oauth2, "app",
      forms: [
        "app = { \"https://discord.com/api/v10/oauth2/@me\", clientID = \"application.id\", subject = \"user.id\" }",
        "app = function(accessToken, http, settings) return … end",
      ],
      "The check that an access token was issued to this app: an endpoint, with the options of userinfo and the "
        + "path of the client ID in its answer, or a function that returns the client ID. A token for another client "
        + "is refused. subject is the path of the subject in the same answer; a profile with another subject is "
        + "refused as well. Only app adds the credential accessToken: without the check, the operator of another "
        + "app could sign in with the tokens that its users gave it."),
    PluginWord(
      .oauth2, "scopes", forms: ["scopes = { \"identify\", \"email\" }"],
      "The scopes that are requested at the vendor."),
    PluginWord(
      .oauth2, "parameters", forms: ["parameters = { prompt = \"consent\" }"],
      "Additional parameters of the authorize address."),
    PluginWord(
      .oauth2, "clientAuthentication",
      forms: ["clientAuthentication = \"basic\""],
      "The client authentication at the token endpoint: \"post\" (the default), \"basic\" or \"none\"."
    ),
    PluginWord(
      .oauth2, "pkce", forms: ["pkce = false", "pkce = \"usesPKCE\""],
      "Omits the parameters of PKCE (RFC 7636), for a vendor that refuses them. A text is the name of a flag setting, "
        + "which decides; it is false by default. plugin check warns of pkce = false, unless the word PKCE in notes "
        + "says why."),
    PluginWord(
      .oauth2, "revoke",
      forms: [
        "revoke = \"https://api.example.com/oauth/revoke\"",
        "revoke = { \"https://api.example.com/grant\", method = \"DELETE\" }",
        "revoke = { \"https://…\", json = { access_token = \"{token}\" }, basic = true }",
        "revoke = function(token, http, settings) … end",
      ],
      "The endpoint that revokes tokens: an address for RFC 7009, or a request with the options of userinfo. {token} "
        + "stands for the token, which is otherwise in the header; authentication = \"post\" adds client ID and secret "
        + "to the body. A status from 200 to 299 counts as revoked. A function gets token.kind, which is accessToken, "
        + "refreshToken or authorizationCode, the opaque token.value, and the redirectURI of a code; it returns "
        + "nothing, or refuses."),
    PluginWord(
      .oauth2, "profile",
      forms: [
        "profile = function(profile, http, accessToken, settings, tokens) … return profile end"
      ],
      "Runs before the mapping, to make requests, refuse or add to the profile. For oidc, profile has the claims. tokens "
        + "is the answer of the token endpoint under the vendor's names, with opaque tokens and secrets; nil if the app "
        + "gave the token itself. Functions of identity get (profile, settings, tokens)."
    ),
  ]
}
