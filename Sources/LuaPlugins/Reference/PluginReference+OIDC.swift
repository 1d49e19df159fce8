extension PluginWord {
  /// The fields of `kind = "oidc"`.
  static let oidc = [
    PluginWord(
      .oidc, "issuer",
      forms: [
        "issuer = \"https://access.line.me\"",
        "issuer = \"https://login.example.com/{tenants}/v2.0\"",
        "issuer = { \"https://login.example.com/{tenants}/v2.0\", any = \"tid\" }",
        "issuer = { \"{server}\", \"{server}/\" }",
      ],
      "The exact value of the claim iss. A setting of type list gives an issuer for each element; then the issuer "
        + "is part of the identity, so that equal subjects of two tenants stay apart. any lets an admin set the list to "
        + "\"any\": a token's own claim of that name then takes the place of the setting, and iss has to be that address. "
        + "A list of two to four addresses is one issuer in several spellings."
    ),
    PluginWord(
      .oidc, "keyIssuer", forms: ["keyIssuer = \"token\""],
      "\"token\" refuses an ID token if the key set names another issuer for its key, in the key's member issuer; "
        + "{tenantid} in it stands for the token's tid. By default (\"any\") the member is ignored."
    ),
    PluginWord(
      .oidc, "keys", forms: ["keys = \"https://…/certs\""],
      "The address of the vendor's key set. If keys, authorize, token or userinfo is missing, the issuer's "
        + "discovery document supplies it."),
    PluginWord(
      .oidc, "discovery", forms: ["discovery = false"], "Never reads the discovery document."),
    PluginWord(
      .oidc, "algorithms", forms: ["algorithms = { \"ES256\" }"],
      "The accepted signature algorithms: RS, PS and ES with 256, 384 or 512, and EdDSA; RS256 by default. none "
        + "and HMAC are never accepted."),
    PluginWord(
      .oidc, "nonce", forms: ["nonce = \"required\"", "nonce = false"],
      "\"required\" refuses an ID token without a nonce, or with another one than the credential's. By default a "
        + "nonce is optional. false is for a vendor whose ID tokens do not repeat the nonce of the authorize address: "
        + "none is sent, and a code's ID token with one is refused."
    ),
    PluginWord(
      .oidc, "maximumAge", forms: ["maximumAge = 3600"],
      "The number of seconds after iat for which a token is accepted."),
    PluginWord(
      .oidc, "userinfo (oidc)",
      forms: [
        "userinfo = true", "userinfo = false", "userinfo = \"https://…\"",
        "userinfo = { \"https://…\", always = true }",
      ],
      "Requests userinfo always (true, or always = true at an address) or never (false). By default it is requested if there is an access token "
        + "and the ID token lacks the address, email_verified or the name. Its sub must be the token's. Claims of "
        + "the token take precedence; emailVerified comes from userinfo only if the token has none and both have the "
        + "same address."),
  ]
}
