extension HelpTopic {
  /// Ways to sign in: their settings, and new keys for their identities.
  static let providers: [HelpTopic] = [
    HelpTopic(
      "providers.list", takes: "", ["providers.list()"],
      "Lists the providers: which are set up, and with how many accounts. Each has id, name, kind, setUp\n"
        + "and accounts."),
    HelpTopic(
      "providers.credential", takes: "fields",
      [
        "providers[\"password\"].credentials",
        "providers[\"password\"].credential { email = …, password = … }",
      ],
      "Lists the credentials that a provider accepts, and makes one. Tab completes the fields."),
    HelpTopic(
      "providers.configure", takes: "providerID, settings, options",
      [
        "providers.configure(\"google.com\", { clientIDs = { \"web.example\" } })",
        "providers[\"google.com\"].settings", "providers[\"google.com\"].configuration",
      ],
      "Sets up a provider for this project or tenant. settings lists the possible settings, and\n"
        + "configuration has the current ones. Settings that are not named stay; json.null removes one.\n"
        + "Secrets are sealed and never shown: configuration has an object for each, which keeps the\n"
        + "secret when it is passed back. OpenID Connect providers are called oidc.NAME, and have issuer\n"
        + "and clientID."),
    HelpTopic(
      "secret", takes: "",
      ["providers.configure(\"google.com\", { clientSecret = secret() })"],
      "Reads a secret from the terminal without showing it. Use it for a password, a secret setting, a\n"
        + "field of a credential or a code. Inputs that may contain a secret are not kept in the history\n"
        + "file."),
    HelpTopic(
      "providers.forget", takes: "providerID, options",
      ["providers.forget \"oidc.staff\"", "providers.forget(\"oidc.staff\", { force = true })"],
      "Deletes the settings of a provider, and the trust in it. If accounts are linked with it, their\n"
        + "number is reported and force = true is required. They stay linked, and until they are unlinked\n"
        + "the name can be set up again only for the same issuer or app."),
    HelpTopic(
      "providers.rekey", takes: "options",
      [
        "plan = providers[\"apple.com\"].rekey { map = \"transfer.csv\" }",
        "plan = providers[\"x.com\"].rekey { from = { providerID = \"twitter.com\" } }",
        "plan = providers[\"oidc.staff\"].rekey { from = \"https://old\", to = \"https://new\" }",
      ],
      "Plans new keys for identities; nothing is written. from and to are issuers, or\n"
        + "{ providerID = …, issuer = … }. map is a table of old and new subjects, a function of the old\n"
        + "subject, or a .csv or .json file of pairs; without map, subjects stay. For window seconds, by\n"
        + "default 60 days, both keys sign in to the same account. counts has the totals; unmapped and\n"
        + "conflicts list the first 20 identities, and truncated is true if there are more."),
    HelpTopic(
      "providers.rekeys", takes: "", ["providers[\"apple.com\"].rekeys()"],
      "Returns the open rekeys of a provider, which are neither finished nor rolled back."),
    HelpTopic(
      "rekey:commit", takes: "options", ["plan:commit { reason = \"team transfer\", batch = 500 }"],
      "Carries out the plan in batches. Identities with a conflict or without a new subject stay. If it\n"
        + "is interrupted, the same call continues it; a plan of rekeys() needs its map again: map = …."
    ),
    HelpTopic(
      "rekey:rollback", takes: "options", ["plan:rollback { reason = \"wrong file\" }"],
      "Reverses a rekey: removes the new keys and restores the old ones. A finished one cannot be\n"
        + "reversed."),
    HelpTopic(
      "rekey:finish", takes: "options", ["plan:finish { reason = \"window over\" }"],
      "Deletes the old keys. After that, a sign-in with an old key is one of an unknown person, so\n"
        + "force = true is required inside the window."),
  ]
}
