extension HelpTopic {
  /// An account, and the changes of one.
  static let account: [HelpTopic] = [
    HelpTopic(
      "account", ["ada = accounts.get \"ada@example.com\"", "ada.providerData"],
      "Fields: uid email emailVerified displayName photoURL phoneNumber disabled isAnonymous\n"
        + "customClaims metadata multiFactor providerData. They are read again after each change.\n"
        + "Two reads of one account are the same key of a table: t[accounts.get \"ada\"] is t[ada].\n"
        + "gone is \"merged\", \"deleted\" or \"replaced\" (created again, or taken over by another owner), and\n"
        + "nil for an account that still exists. Writes to an account that is gone are errors. A merged\n"
        + "or deleted account has only uid, mergedInto (the survivor's uid) and history; its other fields\n"
        + "are errors. The fields of a replaced account belong to its new owner: read them with\n"
        + "accounts.get."),
    HelpTopic(
      "account:link", takes: "identity, options",
      [
        "ada:link(providers[\"password\"].credential { email = …, password = … })",
        "ada:link { providerID = \"github.com\", subject = \"583231\", reason = \"ticket 1182\" }",
      ],
      "Links an identity: by a credential, which is verified, or by providerID and subject, which are\n"
        + "not. An identity of another account is a conflict, which the merge policy may resolve."),
    HelpTopic(
      "account.multiFactor", ["ada.multiFactor", "ada.multiFactor.enrolledFactors"],
      "Returns the second factors of an account."),
    HelpTopic(
      "multiFactor:enroll", takes: "factor, options",
      [
        "open = ada.multiFactor:enroll { phoneNumber = \"+15555550123\" }",
        "open = ada.multiFactor:enroll \"totp\"",
      ],
      "Begins the enrolment of a phone, which gets a code, or of an authenticator app."),
    HelpTopic(
      "enrollment:qr", takes: "", ["open:qr()"],
      "Shows the key of an authenticator app as a QR code, for its camera. If the screen is too narrow,\n"
        + "it returns the URI instead."),
    HelpTopic(
      "enrollment:save", takes: "path", ["open:save \"key.txt\""],
      "Writes the key of an authenticator app to a private file, as a URI."),
    HelpTopic(
      "enrollment:reveal", takes: "", ["open:reveal()"], "Returns that URI."),
    HelpTopic(
      "enrollment:finish", takes: "code, options",
      ["open:finish(\"123456\", { displayName = \"Work phone\" })"],
      "Completes an enrolment with the first code. All sessions of the account end."),
    HelpTopic(
      "multiFactor:unenroll", takes: "factor, options", ["ada.multiFactor:unenroll(1)"],
      "Removes a second factor, by its position in enrolledFactors or by its uid."),
    HelpTopic(
      "multiFactor:recover", takes: "options",
      ["ada.multiFactor:recover { reason = \"lost both, seen in person\" }"],
      "Removes all second factors of a person who has lost them. The reason is required."),
    HelpTopic(
      "account:unlink", takes: "providerID, options",
      ["ada:unlink \"github.com\"", "ada:unlink(\"github.com\", { force = true })"],
      "Unlinks an identity. The last way to sign in is kept unless force = true. If the account has\n"
        + "several identities of the provider, choose one with subject = …."),
    HelpTopic(
      "account:split", takes: "split",
      [
        "plan = ada:split { identities = { \"github.com\" } }",
        "ada:split { identities = { \"github.com\" }, fields = { photoURL = \"move\" }, uid = \"bo\" }",
      ],
      "Plans a new account of some identities, for a wrong link or two people in one account; nothing\n"
        + "is written. fields says keep, move or copy. Without it the address and the number follow their\n"
        + "identities, and everything else stays, second factors too. transfer:commit does it."),
    HelpTopic(
      "account:move", takes: "identity, other",
      ["plan = ada:move(\"github.com\", \"u2\")", "ada:move(\"github.com/583231\", bo)"],
      "Plans the move of one identity to another account; nothing is written. Its address or number\n"
        + "goes along. transfer:commit does it."),
    HelpTopic(
      "transfer:commit", takes: "options",
      ["plan:commit { reason = \"a wrong link\" }", "plan:commit { force = true }"],
      "Carries out the plan of account:split or account:move. Sessions of the account that loses\n"
        + "identities end. An account without a way to sign in is refused unless force = true.\n"
        + "accounts.undo takes it back."),
    HelpTopic(
      "account:update", takes: "changes, options",
      ["ada:update { displayName = \"Ada\", reason = \"asked for it\" }"],
      "Changes email, emailVerified, displayName, photoURL, phoneNumber, password, customClaims\n"
        + "or disabled. json.null clears a field. The last way to sign in is kept unless force = true. An\n"
        + "update without a field is refused."),
    HelpTopic(
      "account:disable", takes: "options", ["ada:disable { reason = \"abuse\" }"],
      "Disables the account: sign-ins are refused."),
    HelpTopic("account:enable", takes: "options", ["ada:enable()"], "Enables a disabled account."),
    HelpTopic(
      "account:delete", takes: "options",
      [
        "ada:delete { reason = \"asked for it\" }", "ada:delete { forever = true, reason = \"…\" }",
        "ada:delete({ dryRun = true }).losses",
      ],
      "Deletes the account and ends its sessions. The reason is required; a terminal asks for it, and\n"
        + "whether to delete. accounts.restore brings it back within deletionRetentionDays, unless\n"
        + "forever = true. Until then no new account gets its uid."),
    HelpTopic(
      "account:restore", takes: "options", ["ada:restore { reason = \"deleted by mistake\" }"],
      "Restores an account that was deleted after it was read: see accounts.restore."),
    HelpTopic(
      "account:revokeSessions", takes: "options", ["ada:revokeSessions()"],
      "Ends all sessions of the account."),
    HelpTopic(
      "account:waysIn", takes: "",
      ["ada:waysIn()", "for _, way in ipairs(ada:waysIn()) do print(way.id, way.label) end"],
      "Lists the ways into the account: identities, second factors, sessions, its mailbox and the app's\n"
        + "tokens. Fields: id kind provider label linkedAt lastUsedAt origin obstacle endable. A way with\n"
        + "an obstacle, such as closed, opens the account no more."),
    HelpTopic(
      "account:endWaysIn", takes: "ways, options",
      [
        "ada:endWaysIn { \"google.com\", \"sessions\" }",
        "ada:endWaysIn({ \"google.com\" }, { reason = \"not theirs\", dryRun = true })",
      ],
      "Ends ways into the account in one change: unlinks identities, removes second factors and ends\n"
        + "sessions, all or none. A way is named by its id, or by a kind or a provider that only one has.\n"
        + "The last way to sign in is kept unless force = true. The receipt lists those that stay."),
    HelpTopic(
      "account:history", takes: "n", ["ada:history()", "ada:history(20)"],
      "Returns the events of the account and of those it absorbed, newest first: all, or the newest n."
    ),
    HelpTopic(
      "account:graph", takes: "", ["ada:graph()"],
      "Returns the account with all its data as a tree, and the accounts that share its address or number."
    ),
    HelpTopic(
      "graph.tree", takes: "key", ["graph.tree \"ada@example.com\""],
      "Returns the tree of an account by its key."
    ),
    HelpTopic(
      "graph.dot", takes: "key", ["print(graph.dot \"ada@example.com\")"],
      "Returns the tree for Graphviz."),
  ]
}
