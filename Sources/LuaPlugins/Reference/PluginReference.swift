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
    declaration + oauth2 + oidc + custom + answers + fetching + tokens + values

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
      `string`, `table`, `math`, `utf8` and the basic functions, without `io`, `os`, `require` or `load`. The
      file is run afresh for each sign-in in a Lua state of its own, so that nothing carries over from one
      person to the next; globals cannot be written, and to read a name that
      does not exist is an error. Each function may use 30 ms of CPU time and 16 MB; one sign-in
      20 s in all, 10 requests of 10 s and 256 KiB each, and 20 lines of log, which `plugin test` shows. `time.now()` is the
      time of the sign-in, and `math.random` begins anew with each one, unforeseeable except in `plugin test`. `help "http.get"`
      in the console says the same as this page.


      """ + groups.joined(separator: "\n\n") + "\n"
  }

  private static let declaration = [
    PluginWord(
      .declaration, "provider",
      forms: ["return provider { id = \"discord.com\", name = \"Discord\", kind = \"oauth2\", … }"],
      "Declares the provider. Unknown fields are errors with the nearest name."),
    PluginWord(
      .declaration, "id", forms: ["id = \"discord.com\""],
      "Names the provider in identities, so it never changes: small letters, digits, dots, dashes and "
        + "underscores, and not the ID of a built-in provider."),
    PluginWord(.declaration, "name", forms: ["name = \"Discord\""], "What people call it."),
    PluginWord(
      .declaration, "kind", forms: ["kind = \"oauth2\"", "kind = \"oidc\"", "kind = \"custom\""],
      "How it works: access tokens and codes with a userinfo endpoint; ID tokens; or a verify function of its "
        + "own, which is what a file with verify and without kind is."),
    PluginWord(
      .declaration, "documentation", forms: ["documentation = \"https://docs.example.com/oauth\""],
      "Where the vendor documents what the file relies on; one address or a list."),
    PluginWord(
      .declaration, "notes", forms: ["notes = \"Not confirmed: whether …\""],
      "For people: traps, and what could not be confirmed."),
    PluginWord(
      .declaration, "hosts", forms: ["hosts = { \"discord.com\" }", "hosts = { \"{domain}\" }"],
      "Every host that is asked. Nothing else can be reached, nor can a private address unless an admin names "
        + "it in privateHosts. {domain} stands for a setting of type host or url."),
    PluginWord(
      .declaration, "settings",
      forms: ["settings = { domain = setting.host { \"your tenant's domain\", required = true } }"],
      "What an admin sets with providers.configure. Every provider has servers (a server that stands in for a "
        + "host, for tests) and privateHosts; oauth2 and oidc also have clientID, clientSecret, audiences and "
        + "scopes."),
    PluginWord(
      .declaration, "setting",
      forms: [
        "setting.text \"what it is for\"",
        "setting.host { \"what it is for\", required = true, default = \"id.example.com\" }",
      ],
      "The types: text, url, host (with a port or without), list, flag, number and secret. In functions a "
        + "secret is opaque. Nobody signs in before what is required is set. namesSubjects = true keeps a "
        + "setting as it is while there are identities, because it decides whom their subjects mean; settings "
        + "in hosts and issuers are kept so anyway."),
    PluginWord(
      .declaration, "{setting}", forms: ["token = \"https://{domain}/oauth/token\""],
      "Settings may stand in addresses, parameters and headers. Texts are escaped in addresses."),
    PluginWord(
      .declaration, "path",
      forms: ["\"id\"", "\"data.id\"", "\"images[1].url\"", "'[\"https://example.com/id\"]'"],
      "The way to a value in an answer. What is missing on the way, or null, is nothing."),
    PluginWord(
      .declaration, "identity (mapping)",
      forms: [
        "identity = {", "  subject = \"id\", email = \"email\", emailVerified = \"verified\",",
        "  displayName = { \"name\", text(\"given_name\", \"family_name\"), \"username\" },",
        "  photoURL = function(profile) return profile.avatar and \"https://…\" .. profile.avatar end,",
        "}",
      ],
      "Fills subject, email, emailVerified, displayName, photoURL, screenName and phoneNumber from the "
        + "vendor's answer: a path, a list of paths of which the first that is there counts, or a function(profile, settings). A "
        + "text that is empty or blank is not there. false takes a usual field of oidc away. The "
        + "subject is required: the vendor's immutable identifier, a text or a whole number up to 2^53, never an "
        + "e-mail address or user name. emailVerified counts where it is the JSON value true, and only as far as "
        + "an admin trusts the provider."),
    PluginWord(
      .declaration, "formerSubjects",
      forms: ["formerSubjects = function(claims) return { claims.oid } end"],
      "A field of the mapping: up to four subjects by which records of other systems name the same person, as a path or a "
        + "function. An identity that an import or an admin brought under one of them is found by the first sign-in, once, "
        + "and has the subject from then on. What the vendor signed has to prove them as it does the subject, and none "
        + "may be somebody else's, so never an e-mail address or user name."),
    PluginWord(
      .declaration, "text",
      forms: [
        "displayName = { \"name\", text(\"given_name\", \"family_name\"), \"login\" }",
        "displayName = text(me, \"first_name\", \"last_name\")",
      ],
      "Joins what paths lead to, with a space between; what is missing or blank is left out, and nothing comes of "
        + "nothing. In a mapping it fills displayName and screenName; in a function its first argument is the table to "
        + "read. A file that has a local text of its own keeps that one. For oidc the display name is name, else "
        + "text(\"given_name\", \"family_name\"), else preferred_username, else nickname, unless the mapping says otherwise."
    ),
    PluginWord(
      .declaration, "subjectsPerApp", forms: ["subjectsPerApp = true"],
      "Says that the vendor knows a person by another subject in each app. clientID then stays as it is while there are "
        + "identities: another app's subjects are other people."),
    PluginWord(
      .declaration, "textBooleans", forms: ["textBooleans = true"],
      "Lets the text \"true\" verify an address too, for vendors that write booleans as text."),
  ]

  private static let oauth2 = [
    PluginWord(
      .oauth2, "authorize", forms: ["authorize = \"https://discord.com/oauth2/authorize\""],
      "Where a browser goes to sign in. State, PKCE and the redirect URI are added. With token it makes the "
        + "credential authorizationCode."),
    PluginWord(
      .oauth2, "token", forms: ["token = \"https://discord.com/api/oauth2/token\""],
      "Where an authorization code is exchanged."),
    PluginWord(
      .oauth2, "userinfo",
      forms: [
        "userinfo = \"https://discord.com/api/users/@me\"",
        "userinfo = { \"https://api.example.com/me\", headers = { [\"Client-Id\"] = \"{clientID}\" } }",
      ],
      "Who an access token belongs to. The table takes method, headers, query, form, json, basic and scheme, "
        + "which is what stands before the token: \"Bearer\" unless another one or \"none\" is named. "
        + "{accessToken} stands for the token in headers, query, form and json."),
    PluginWord(
      .oauth2, "app",
      forms: [
        "app = { \"https://discord.com/api/oauth2/@me\", clientID = \"application.id\", subject = \"user.id\" }",
        "app = function(accessToken, http, settings) return … end",
      ],
      "Whose access token it is: an endpoint, asked as userinfo is, and the path of the client ID in its answer, "
        + "or a function that gives the client ID. A token for another client is refused. With subject, the path of the "
        + "subject in the same answer, a profile of another subject is refused as well. Only with app is "
        + "there the credential accessToken: a token for somebody else's app says the same about the person, "
        + "and lies on that app's server."),
    PluginWord(
      .oauth2, "scopes", forms: ["scopes = { \"identify\", \"email\" }"],
      "What is asked for at the vendor."),
    PluginWord(
      .oauth2, "parameters", forms: ["parameters = { prompt = \"consent\" }"],
      "Further parameters of the authorize address."),
    PluginWord(
      .oauth2, "clientAuthentication",
      forms: ["clientAuthentication = \"basic\""],
      "How the client shows its secret to the token endpoint: \"post\" (the usual), \"basic\" or \"none\"."
    ),
    PluginWord(
      .oauth2, "pkce", forms: ["pkce = false"],
      "For a vendor that refuses the parameters of PKCE (RFC 7636)."),
    PluginWord(
      .oauth2, "revoke", forms: ["revoke = \"https://…\""], "Where tokens are ended (RFC 7009)."),
    PluginWord(
      .oauth2, "profile",
      forms: ["profile = function(profile, http, accessToken, settings) … return profile end"],
      "Runs before the mapping: further requests, refusals, additions. For oidc, profile holds the claims."
    ),
  ]

  private static let oidc = [
    PluginWord(
      .oidc, "issuer",
      forms: [
        "issuer = \"https://access.line.me\"",
        "issuer = \"https://login.example.com/{tenants}/v2.0\"",
      ],
      "What iss has to be, exactly. A setting of type list gives an issuer for each element; then the issuer "
        + "is part of the identity, so that equal subjects of two tenants never meet."),
    PluginWord(
      .oidc, "keys", forms: ["keys = \"https://…/certs\""],
      "The address of the vendor's key set. Without it, and without authorize, token or userinfo, the issuer's "
        + "discovery document says where they are."),
    PluginWord(
      .oidc, "discovery", forms: ["discovery = false"], "Never reads the discovery document."),
    PluginWord(
      .oidc, "algorithms", forms: ["algorithms = { \"ES256\" }"],
      "How tokens may be signed: RS256 unless others are named of RS, PS and ES with 256, 384 and 512, and "
        + "EdDSA. There is neither none nor HMAC."),
    PluginWord(
      .oidc, "nonce", forms: ["nonce = \"required\""],
      "Whether an ID token has to have a nonce, and its credential the same; optional unless required."
    ),
    PluginWord(
      .oidc, "maximumAge", forms: ["maximumAge = 3600"],
      "How many seconds after iat a token is good at most."),
    PluginWord(
      .oidc, "userinfo (oidc)",
      forms: ["userinfo = true", "userinfo = false", "userinfo = \"https://…\""],
      "Whether userinfo is asked: always, never, or where an access token came and the ID token has no address, no word "
        + "on it or no name. Its sub has to be the token's. What the token says counts; emailVerified is userinfo's only "
        + "where the token has no word of its own and both name the same address."),
  ]

  private static let custom = [
    PluginWord(
      .custom, "credentials",
      forms: [
        "credentials = { widget = { id = field.text \"the user's id\", hash = field.secret \"…\" } }"
      ],
      "The credentials by name, each with its fields."),
    PluginWord(
      .custom, "field",
      forms: ["field.secret \"the access token\"", "field.text { \"the name\", optional = true }"],
      "The types: text, secret, url, email and phoneNumber. A secret reaches functions as an opaque value."
    ),
    PluginWord(
      .custom, "verify",
      forms: ["verify = function(credential, http, settings) … return identity { … } end"],
      "Tells whose a credential is, or refuses. credential.builder names which credential it is; its fields are "
        + "texts or opaque secrets, nil where they were left out."),
    PluginWord(
      .custom, "authorize (custom)",
      forms: [
        "authorize = { \"https://…\", parameters = { state = \"{state}\" }, callback = { code = \"code\" } }",
        "authorize = function(request, settings) return \"https://…?state=\" .. request.state end",
        "authorize = { function(request, settings) … end, callback = { answer = \"*\" } }",
      ],
      "The vendor's own way with a browser. {state}, {redirectURI}, {codeChallenge}, {nonce} and settings are "
        + "replaced. callback says which parameter of the callback each field of the credential "
        + "authorizationCode takes; \"*\" is the whole query as a text."),
    PluginWord(
      .custom, "tokens",
      forms: [
        "tokens = { login = { issuer = \"https://…\", keys = \"https://…\", audience = \"{clientID}\" } }"
      ],
      "What jwt.verify may be asked for, with the fields of oidc and audience."),
  ]

  private static let answers = [
    PluginWord(
      .answers, "identity",
      forms: ["return identity { subject = me.id, email = me.email, claims = me }"],
      "Says who it is: subject, formerSubjects, email, emailVerified, displayName, photoURL, screenName, phoneNumber, claims. "
        + "Only the boolean true verifies the address."),
    PluginWord(
      .answers, "refuse",
      forms: [
        "refuse \"the signature is wrong\"",
        "refuse { \"too old\", field = \"auth_date\", step = \"token\" }",
      ],
      "Ends the sign-in with invalid-credential, also inside pcall. The steps are credential, state, exchange, token and profile."
    ),
    PluginWord(
      .answers, "once", forms: ["once(response.nonce, 3600)"],
      "Uses something up together with the sign-in: presented again inside that many seconds it is refused."
    ),
    PluginWord(
      .answers, "pick", forms: ["pick(me, \"account.profile.nickname\")"],
      "Reads a path; nil where something is missing, and never an error."),
    PluginWord(
      .answers, "log", forms: ["log.info \"…\"", "log.warn \"…\"", "log.error \"…\""],
      "Writes a line for admins. Secrets of the sign-in are masked."),
  ]

  private static let fetching = [
    PluginWord(
      .fetching, "http.get",
      forms: [
        "http.get(\"https://api.example.com/me\", { bearer = accessToken }):json()",
        "http.get(url, { headers = { … }, query = { … }, statuses = { 404 } })",
      ],
      "Fetches; the script waits and no thread does. Options: bearer and scheme, basic = { name, password }, "
        + "headers, query, and statuses from 400 to 499 that are handed over. Any other answer that is no success "
        + "is an error, which ends the sign-in, also inside pcall: 4xx as invalid-credential; 5xx, 429, a redirect, silence and too much as "
        + "network-request-failed. Secrets may stand wherever a value goes."),
    PluginWord(
      .fetching, "http.post",
      forms: ["http.post(url, { form = { … } })", "http.post(url, { json = { … } })"],
      "Sends a form or JSON; otherwise as http.get."),
    PluginWord(
      .fetching, "response",
      forms: [
        "response:json()", "response:text()", "response.status", "response.ok",
        "response.headers[\"name\"]",
      ],
      "What came back. json() gives an object or a list; members that are null are left out."),
  ]

  private static let tokens = [
    PluginWord(
      .tokens, "jwt.verify",
      forms: ["jwt.verify(\"login\", credential.idToken, { nonce = …, accessToken = … })"],
      "Gives the claims of a token by a declaration in tokens. The token is used up with the sign-in."
    ),
    PluginWord(
      .tokens, "jwt.sign",
      forms: ["jwt.sign { key = settings.privateKey, keyID = \"…\", claims = { … } }"],
      "Signs claims with a secret PEM key, ES256 or RS256 as the key is; gives an opaque token."),
    PluginWord(
      .tokens, "oauth.exchange",
      forms: [
        "oauth.exchange(credential, { token = \"https://…\", clientID = …, clientSecret = … })"
      ],
      "Exchanges an authorization code; gives accessToken, idToken and refreshToken as opaque values."
    ),
  ]

  private static let values = [
    PluginWord(
      .values, "hash.sha256", forms: ["hash.sha256(text)", "hash.sha512(text, \"base64url\")"],
      "A digest as hex, base64 or base64url. The digest of a secret is an opaque secret of bytes."),
    PluginWord(
      .values, "hash.hmac", forms: ["hash.hmac(\"sha256\", settings.clientSecret, text)"],
      "A message authentication code with sha256 or sha512; the key may be a secret."),
    PluginWord(
      .values, "hash.equals", forms: ["hash.equals(given, expected)"],
      "Compares texts or secrets in a time that tells nothing of where they differ."),
    PluginWord(
      .values, "url",
      forms: ["url.escape(text)", "url.form(fields)", "url.query(text)", "url.parse(address)"],
      "Writes and reads addresses: parse gives scheme, host, port, path and query."),
    PluginWord(
      .values, "base64",
      forms: [
        "base64.encode(text)", "base64.decode(text)", "base64.encodeURL(text)",
        "base64.decodeURL(text)",
      ],
      "Base64, plain and in the alphabet for addresses."),
    PluginWord(
      .values, "json", forms: ["json.encode(value)", "json.decode(text)", "json.null"],
      "JSON and back. Names are written in order. What JSON has no form for is an error that says where it is: a "
        + "function, a number that is not finite, a list with holes, a key that is no text, bytes that are no UTF-8."
    ),
    PluginWord(
      .values, "time", forms: ["time.now()", "time.format(milliseconds)", "time.parse(text)"],
      "Milliseconds since 1970, and RFC 3339."),
  ]
}
