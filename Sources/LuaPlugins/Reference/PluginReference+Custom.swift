extension PluginWord {
  /// The fields of `kind = "custom"`.
  static let custom = [
    PluginWord(
      .custom, "credentials",
      forms: [
        "credentials = { widget = { id = field.text \"the user's id\", hash = field.secret \"…\" } }"
      ],
      "The credentials that the provider accepts, by name, each with its fields."),
    PluginWord(
      .custom, "field",
      forms: ["field.secret \"the access token\"", "field.text { \"the name\", optional = true }"],
      "The types of fields: text, secret, url, email and phoneNumber. In functions a secret is an opaque value."
    ),
    PluginWord(
      .custom, "verify",
      forms: ["verify = function(credential, http, settings) … return identity { … } end"],
      "Returns the identity of a credential, or refuses it. credential.builder is the name of the credential; its "
        + "fields are texts, opaque secrets, or nil if they were left out."),
    PluginWord(
      .custom, "authorize (custom)",
      forms: [
        "authorize = { \"https://…\", parameters = { state = \"{state}\" }, callback = { code = \"code\" } }",
        "authorize = function(request, settings) return \"https://…?state=\" .. request.state end",
        "authorize = { function(request, settings) … end, callback = { answer = \"*\" } }",
      ],
      "A vendor's own sign-in by browser. {state}, {redirectURI}, {codeChallenge}, {nonce} and settings are "
        + "replaced. callback maps each field of the credential authorizationCode to a parameter of the callback; "
        + "\"*\" is the whole query as a text. A function gets a "
        + "request with the fields state, redirectURI, nonce and codeChallenge. The address needs the state, or every "
        + "callback is refused. The callback has to fill all required fields but redirectURI, codeVerifier and nonce, "
        + "which are filled without it. A field.secret is opaque: a text that verify has to take apart is a field.text."
    ),
    PluginWord(
      .custom, "revoke and refresh (custom)",
      forms: [
        "revoke = function(token, http, settings) … end",
        "refresh = function(refreshToken, http, settings) … return identity { … } end",
      ],
      "Revokes a token, as revoke does for oauth2, and renews an identity, whose subject has to stay the same. Without "
        + "them the provider does neither."),
    PluginWord(
      .custom, "tokens",
      forms: [
        "tokens = { login = { issuer = \"https://…\", keys = \"https://…\", audience = \"{clientID}\" } }"
      ],
      "The tokens that jwt.verify accepts, by name, each with audience and the fields of oidc. With events, a provider "
        + "of any kind can declare them, for jwt.event and jwt.events."),
    PluginWord(
      .custom, "secret (tokens)",
      forms: [
        "tokens = { login = { issuer = \"https://…\", audience = \"{clientID}\", algorithms = { \"HS256\" }, "
          + "secret = \"clientSecret\" } }"
      ],
      "The secret setting with which vendor and app sign a token, in place of keys. algorithms names one of HS256, "
        + "HS384 and HS512, and a token with another one is refused. The secret has at least 16 bytes. iss, aud, exp, "
        + "iat, nbf, sub and nonce are checked as for any token."),
  ]
}
