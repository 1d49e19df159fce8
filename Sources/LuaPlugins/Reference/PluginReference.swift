/// One word of the language of provider plug-ins: a field of a file, or a function that its functions may call.
///
/// It is the single source of the console's `help` and of the reference in the documentation.
public struct PluginWord: Sendable, Hashable {
  /// The section of the reference.
  public enum Group: String, Sendable, CaseIterable {
    case declaration = "Declaration"
    case oauth2 = "kind = \"oauth2\""
    case oidc = "kind = \"oidc\""
    case custom = "kind = \"custom\""
    case answers = "Answering"
    case fetching = "Fetching"
    case tokens = "Tokens"
    case values = "Hashes, addresses and other values"
  }

  /// The section of the reference.
  public let group: Group
  /// The word itself.
  public let name: String
  /// The forms in which it is written.
  public let forms: [String]
  /// The description.
  public let about: String

  init(_ group: Group, _ name: String, forms: [String], _ about: String) {
    self.group = group
    self.name = name
    self.forms = forms
    self.about = about
  }
}

extension PluginWord {
  /// Every word, in the order in which an author needs them.
  public static let all =
    declaration + contract + oauth2 + oidc + custom + answers + fetching + tokens + values

  /// The reference as Markdown.
  public static var markdown: String {
    let groups = Group.allCases.map { group in
      let words = all.filter { $0.group == group }.map { word in
        "### \(word.name)\n\n```lua\n\(word.forms.joined(separator: "\n"))\n```\n\n\(word.about)"
      }
      return "## \(group.rawValue)\n\n" + words.joined(separator: "\n\n")
    }
    return """
      # The language of provider plug-ins

      Every word that a plug-in file may use.

      ## Overview

      A plug-in is one Lua 5.4 file that ends with `return provider { … }`. It runs in a sandbox with
      `string`, `table`, `math`, `utf8` and the basic functions, without `io`, `os`, `require` or `load`.

      Each sign-in runs the file in a new Lua state, so nothing carries over from one person to the next. Globals
      cannot be written, and reading an undefined name is an error. `time.now()` is the time of the sign-in.
      `math.random` gets a new seed for each sign-in, which is predictable only in `plugin test`.

      Each function has 30 ms of CPU time and 16 MB of memory. One sign-in has 20 s in all, 10 requests of up to 10 s
      and 256 KiB each, and 20 lines of log, which `plugin test` shows.

      The console prints the entries of this page: `help "http.get"`.


      """ + groups.joined(separator: "\n\n") + "\n"
  }

  private static let declaration = [
    PluginWord(
      .declaration, "provider",
      forms: ["return provider { id = \"discord.com\", name = \"Discord\", kind = \"oauth2\", … }"],
      "Declares the provider. An unknown field is an error that names the nearest known one."),
    PluginWord(
      .declaration, "id", forms: ["id = \"discord.com\""],
      "The provider's name in identities, which must never change: lowercase letters, digits, dots, dashes and "
        + "underscores. It cannot be the ID of a built-in provider."),
    PluginWord(.declaration, "name", forms: ["name = \"Discord\""], "The name that people see."),
    PluginWord(
      .declaration, "kind", forms: ["kind = \"oauth2\"", "kind = \"oidc\"", "kind = \"custom\""],
      "The way the vendor signs people in. oauth2: access tokens and codes with a userinfo endpoint. oidc: ID "
        + "tokens. custom: a verify function; this is the default for a file with verify."),
    PluginWord(
      .declaration, "documentation", forms: ["documentation = \"https://docs.example.com/oauth\""],
      "The address of the vendor's documentation that the file relies on, or a list of addresses."),
    PluginWord(
      .declaration, "notes", forms: ["notes = \"Not confirmed: whether …\""],
      "Notes for admins: pitfalls, and what is not confirmed."),
    PluginWord(
      .declaration, "hosts", forms: ["hosts = { \"discord.com\" }", "hosts = { \"{domain}\" }"],
      "Every host that the plug-in requests. It reaches no other host, and a private address only if an admin "
        + "lists it in privateHosts. {domain} stands for a setting of type host or url."),
    PluginWord(
      .declaration, "settings",
      forms: ["settings = { domain = setting.host { \"your tenant's domain\", required = true } }"],
      "The settings that an admin gives with providers.configure. Every provider also has servers (replacement "
        + "servers for hosts, for tests) and privateHosts; oauth2 and oidc add clientID, clientSecret, audiences "
        + "and scopes."),
    PluginWord(
      .declaration, "setting",
      forms: [
        "setting.text \"what it is for\"",
        "setting.host { \"what it is for\", required = true, default = \"id.example.com\" }",
      ],
      "The types of settings: text, url, host (with or without a port), list, flag, number and secret. In "
        + "functions a secret is an opaque value. The provider signs people in once all required settings are set. "
        + "namesSubjects = true declares that the setting decides which person a subject means: it cannot change "
        + "while the provider has identities. Settings in hosts and issuers are always protected like this."
    ),
    PluginWord(
      .declaration, "{setting}", forms: ["token = \"https://{domain}/oauth/token\""],
      "The value of a setting, in an address, a parameter or a header. In an address, texts are escaped."
    ),
    PluginWord(
      .declaration, "path",
      forms: [
        "\"id\"", "\"data.id\"", "\"images[1].url\"", "'[\"https://example.com/id\"]'",
        "\"emails[primary=true].email\"", "'emails[type=\"work\", verified=true].value'",
        "\"$token.athlete.id\"",
      ],
      "The path of a value in an answer. A value that is missing or null counts as absent. Conditions in brackets take "
        + "the first element of a list that meets all of them, up to 8: a member that is a text in quotes, a whole "
        + "number, true or false. They are strict: the text \"true\" is not true. Without such an element the value is "
        + "absent. Conditions at the beginning are for an answer that is a list itself: \"[primary=true].email\". In a "
        + "mapping, $token is the answer of the token endpoint, without its tokens and secrets; a profile never has a "
        + "member $token. It is absent if the app gave the token itself."),
    PluginWord(
      .declaration, "identity (mapping)",
      forms: [
        "identity = {", "  subject = \"id\", email = \"email\", emailVerified = \"verified\",",
        "  displayName = { \"name\", text(\"given_name\", \"family_name\"), \"username\" },",
        "  photoURL = function(profile) return profile.avatar and \"https://…\" .. profile.avatar end,",
        "}",
      ],
      "Maps the vendor's answer to subject, email, emailVerified, displayName, photoURL, screenName and "
        + "phoneNumber. Each is a path, a list of paths (the first present one counts) or a function(profile, "
        + "settings). An empty or blank text counts as absent. false removes a default field of oidc. The subject "
        + "is required: the vendor's immutable identifier, a text or a whole number up to 2^53, never an e-mail "
        + "address or user name. emailVerified counts only if it is the JSON value true, or one of the listed values, "
        + "and only as far as an admin trusts the provider."),
    PluginWord(
      .declaration, "emailVerified (mapping)",
      forms: ["emailVerified = { \"xms_edov\", is = { true, 1, \"1\", \"true\" } }"],
      "The values that verify the address, for a vendor that writes something else than true: true, whole numbers and "
        + "texts. Only these values count, by type and content; any other one leaves the address unverified. Values "
        + "that deny it, such as false, 0 and \"no\", cannot be listed."),
    PluginWord(
      .declaration, "formerSubjects",
      forms: ["formerSubjects = function(claims) return { claims.oid } end"],
      "A field of the mapping: up to four earlier subjects of the same person, as a path or a function. An "
        + "identity that was imported or linked by an admin under one of them is found by the first sign-in, and gets "
        + "the new subject. The vendor must prove former subjects as it proves the subject, and must never give one "
        + "to another person: never use an e-mail address or user name."),
    PluginWord(
      .declaration, "text",
      forms: [
        "displayName = { \"name\", text(\"given_name\", \"family_name\"), \"login\" }",
        "displayName = text(me, \"first_name\", \"last_name\")",
      ],
      "Joins the texts at up to 8 paths with spaces, without missing and blank ones; nil if none is left. In a "
        + "mapping it can fill displayName and screenName. In a function the first argument is the table to read. A "
        + "local variable named text hides it. For oidc the default displayName is name, then "
        + "text(\"given_name\", \"family_name\"), preferred_username and nickname."
    ),
    PluginWord(
      .declaration, "subjectsPerApp", forms: ["subjectsPerApp = true"],
      "Declares that the vendor gives a person another subject in each app. clientID then cannot change while the "
        + "provider has identities, because the subjects of another app name other people."),
    PluginWord(
      .declaration, "events",
      forms: [
        "events = function(request, http, settings)",
        "  return { { kind = \"consent-revoked\", subject = request.json.user.id, id = request.json.id } }",
        "end,",
      ],
      "Verifies what the vendor posts to /v1/providers/ID:events, and returns the events. Nothing vouches for the "
        + "request, so check its signature and refuse what is wrong. request has method, headers with names in lower "
        + "case, query, body as it was sent, form or json, and topic, the last part of an address /events/TOPIC. An "
        + "event has kind, subject, id (by default a digest of the body), at in milliseconds, issuer and reason. The "
        + "kinds are session-ended, account-disabled, account-enabled, consent-revoked, identity-deleted, "
        + "email-disabled, email-enabled, email-changed and credential-changed. An event counts once. The answer is "
        + "200, or that of { events = { … }, response = { status = 204, json = { … } } }, with body and contentType; "
        + "a status from 400 goes with no events. refuse answers with 400."),
    PluginWord(
      .declaration, "textBooleans", forms: ["textBooleans = true"],
      "Accepts the text \"true\" as emailVerified, for vendors that write booleans as texts."),
  ]

  private static let oauth2 = [
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

  private static let oidc = [
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

  private static let custom = [
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

  private static let answers = [
    PluginWord(
      .answers, "identity",
      forms: ["return identity { subject = me.id, email = me.email, claims = me }"],
      "Makes the identity that verify returns, from subject, formerSubjects, email, emailVerified, displayName, "
        + "photoURL, screenName, phoneNumber and claims. Only the boolean true verifies the address."
    ),
    PluginWord(
      .answers, "refuse",
      forms: [
        "refuse \"the signature is wrong\"",
        "refuse { \"too old\", field = \"auth_date\", step = \"token\" }",
      ],
      "Ends the sign-in with invalid-credential, even inside pcall. The steps are credential, state, exchange, token "
        + "and profile."
    ),
    PluginWord(
      .answers, "once", forms: ["once(response.nonce, 3600)"],
      "Marks a value as used in the transaction of the sign-in. Another sign-in with it is refused for the given "
        + "number of seconds, from 1 to 31536000 (a year). The value is kept as a digest, for this plug-in alone."
    ),
    PluginWord(
      .answers, "pick", forms: ["pick(me, \"account.profile.nickname\")"],
      "Returns the value at a path, or nil if a part of the path is missing. A response or a secret in place of the "
        + "table is an error."),
    PluginWord(
      .answers, "log", forms: ["log.info \"…\"", "log.warn \"…\"", "log.error \"…\""],
      "Writes a line to the log. Secrets of the sign-in are masked."),
  ]

  private static let fetching = [
    PluginWord(
      .fetching, "http.get",
      forms: [
        "http.get(\"https://api.example.com/me\", { bearer = accessToken }):json()",
        "http.get(url, { headers = { … }, query = { … }, statuses = { 404 } })",
      ],
      "Sends a GET request and returns the response. Options: bearer and scheme, basic = { name, password }, "
        + "headers, query, and statuses, the statuses from 400 to 499 that are returned too. Any other failure ends "
        + "the sign-in, even inside pcall: 4xx with invalid-credential; 5xx, 429, a redirect, a timeout or a body that "
        + "is too long with network-request-failed. A secret can be used for any value."),
    PluginWord(
      .fetching, "http.post",
      forms: ["http.post(url, { form = { … } })", "http.post(url, { json = { … } })"],
      "Sends a POST request with a form or JSON; the other options are those of http.get."),
    PluginWord(
      .fetching, "response",
      forms: [
        "response:json()", "response:text()", "response.status", "response.ok",
        "response.headers[\"name\"]",
      ],
      "The response of a request. json() returns an object or a list, without members that are null."
    ),
  ]

  private static let tokens = [
    PluginWord(
      .tokens, "jwt.verify",
      forms: ["jwt.verify(\"login\", credential.idToken, { nonce = …, accessToken = … })"],
      "Verifies a token by a declaration in tokens, and returns its claims. The token can sign in only once."
    ),
    PluginWord(
      .tokens, "verify.rsa",
      forms: [
        "verify.rsa(key, bytes, signature)",
        "verify.rsa(key, bytes, signature, { hash = \"sha512\", padding = \"pss\" })",
      ],
      "Tells whether a signature over bytes is the key's: true or false, or nil and a message for a key that cannot be "
        + "used. hash is sha256 (the default), sha384 or sha512, padding pkcs1 (the default) or pss. The key is PEM or "
        + "DER of a public key or an X.509 certificate, or a JSON Web Key as a table or text, with 2048 bits or more. "
        + "A certificate only carries its key: take it from the vendor's host. It is refused outside its validity. "
        + "Keys, bytes and signatures can be secrets, as bytes and not as base64."),
    PluginWord(
      .tokens, "verify.ecdsa",
      forms: [
        "verify.ecdsa(key, bytes, signature)",
        "verify.ecdsa(key, bytes, signature, { hash = \"sha384\", form = \"raw\" })",
      ],
      "Tells the same of an ECDSA signature. The hash decides the curve: sha256 (the default) P-256, sha384 P-384, "
        + "sha512 P-521. form is der (the default), or raw for both numbers one after the other."),
    PluginWord(
      .tokens, "verify.ed25519", forms: ["verify.ed25519(key, bytes, signature)"],
      "Tells the same of an Ed25519 signature of 64 bytes. The key can also be its 32 bytes."),
    PluginWord(
      .tokens, "jwt.events",
      forms: [
        "events = function(request) return jwt.events(\"security\", request.body) end",
        "local claims = jwt.event(\"security\", request.body)",
      ],
      "Verifies a token that reports events (RFC 8417) by a declaration in tokens: issuer, audience, signature, iat of "
        + "the last seven days and jti. jwt.events returns the events of RISC, CAEP and back-channel logout in the form "
        + "that events returns; jwt.event returns the claims, for a vendor with events of its own. An ID token is "
        + "refused, and jwt.verify refuses a token with events."),
    PluginWord(
      .tokens, "jwt.sign",
      forms: ["jwt.sign { key = settings.privateKey, keyID = \"…\", claims = { … } }"],
      "Signs claims with a secret PEM key, by ES256 or RS256 according to the key. Returns an opaque token."
    ),
    PluginWord(
      .tokens, "oauth.exchange",
      forms: [
        "oauth.exchange(credential, { token = \"https://…\", clientID = …, clientSecret = … })"
      ],
      "Exchanges an authorization code. Returns every member of the answer under the vendor's name, and accessToken, "
        + "idToken and refreshToken. Tokens and secrets are opaque values."
    ),
  ]

  private static let values = [
    PluginWord(
      .values, "hash.sha256", forms: ["hash.sha256(text)", "hash.sha512(text, \"base64url\")"],
      "Returns a digest as hex (the default), base64 or base64url. The digest of a secret is an opaque secret: of "
        + "bytes, or of a text if the format is given."
    ),
    PluginWord(
      .values, "hash.sha1", forms: ["hash.sha1(text)", "hash.md5(text, \"base64\")"],
      "Returns a digest like hash.sha256, for protocols that demand it, such as OAuth 1.0a. Two texts with one digest "
        + "can be made, so these digests prove nothing by themselves."),
    PluginWord(
      .values, "hash.hmac",
      forms: [
        "hash.hmac(\"sha256\", settings.clientSecret, text)",
        "hash.hmac(\"sha1\", settings.clientSecret, text, \"base64\")",
      ],
      "Returns a message authentication code with sha256 or sha512, or with sha1 or md5 for protocols that demand them. "
        + "The last argument is hex (the default), base64 or base64url. The key can be a secret. The code of a secret "
        + "text under a key that is none is an opaque secret."),
    PluginWord(
      .values, "hash.equals", forms: ["hash.equals(given, expected)"],
      "Compares two texts or secrets in constant time."),
    PluginWord(
      .values, "secret.join",
      forms: [
        "secret.join(settings.clientSecret, \"&\", credential.tokenSecret)",
        "hash.md5(secret.join(parameters, settings.clientSecret), \"hex\")",
      ],
      "Returns one secret of up to 16 texts and secrets, such as the key of OAuth 1.0a. A secret never becomes a text: "
        + "the operator .., tostring and string.format fail. It can be sent by http, be a key or the content of hash, and be "
        + "escaped by url.escape, which returns a secret too."),
    PluginWord(
      .values, "url",
      forms: ["url.escape(text)", "url.form(fields)", "url.query(text)", "url.parse(address)"],
      "Writes and reads addresses. parse returns scheme, host, port, path and query."),
    PluginWord(
      .values, "base64",
      forms: [
        "base64.encode(text)", "base64.decode(text)", "base64.encodeURL(text)",
        "base64.decodeURL(text)",
      ],
      "Encodes and decodes base64 and base64url."),
    PluginWord(
      .values, "json", forms: ["json.encode(value)", "json.decode(text)", "json.null"],
      "Writes and reads JSON. Names are written in alphabetical order. A value without a form in JSON is an error "
        + "that names its place: a function, a number that is not finite, a list with holes, a key that is not a text, "
        + "bytes that are not UTF-8."
    ),
    PluginWord(
      .values, "time", forms: ["time.now()", "time.format(milliseconds)", "time.parse(text)"],
      "Returns, writes and reads a time: milliseconds since 1970, and texts of RFC 3339."),
  ]
}
