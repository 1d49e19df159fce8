extension PluginWord {
  /// The fields of every file.
  static let declaration = [
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
}
