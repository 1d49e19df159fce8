import LuaPlugins

extension HelpTopic {
  /// Every function of the admin API, in the order in which an admin meets them.
  static let all: [HelpTopic] =
    accounts + account + providers + plugins + merging + rehearsing + looking + showing + settings
    + [
      HelpTopic(
        "input.lines", takes: "", ["for uid in input.lines() do print(uid) end"],
        "Iterates over the lines that are piped into authgraph run FILE or authgraph -e."),
      HelpTopic(
        "exit", takes: "status", ["exit()", "exit(3)", "quit()"],
        "Ends the script or the console with a status, by default 0. pcall does not catch it.\n"
          + "On a line of its own, exit without parentheses works too. quit is the same."),
      HelpTopic(
        "help", takes: "topic", ["help()", "help \"merge\"", "help(ada)"],
        "Prints the tasks of an admin, explains one function or value, or searches for a word.\n"
          + "help \"all\" lists everything. On a line of its own, help csv or ? csv works too."),
      HelpTopic(
        "tour", takes: "step", ["tour()", "tour \"next\"", "tour \"stop\""],
        "Shows the console on the sample in ten minutes, step by step: it says what to type, and goes on\n"
          + "when it has happened. tour() alone repeats the present step."),
    ]

  private static let accounts = [
    HelpTopic(
      "accounts.get", takes: "key", ["accounts.get \"ada@example.com\""],
      "Returns the account with a uid, an e-mail address or a phone number, or nil.\n"
        + "The uid of an absorbed account returns the account that absorbed it."),
    HelpTopic(
      "accounts.search", takes: "part, options",
      ["accounts.search \"haas\"", "accounts.search(\"@example.com\", { limit = 200 })"],
      "Finds accounts by a part of what is known about them: addresses (also those of identities, such\n"
        + "as relay addresses), names, phone numbers (also by their last digits), uids and subjects. The\n"
        + "part begins a text or a word in it. Case, accents and punctuation do not matter, except in uids\n"
        + "and subjects. The best come first: the whole text, then its beginning, then a word inside. limit\n"
        + "is the maximum number of accounts, by default 25; if there are more, the second result has\n"
        + "truncated = true."),
    HelpTopic(
      "accounts.find", takes: "filter",
      [
        "accounts.find { email = \"ada@example.com\" }",
        "accounts.find { providers = { \"google.com\", \"password\" }, notSeenSince = \"1 year ago\" }",
        "accounts.find { createdSince = \"yesterday\", order = \"newest\", limit = 20 }",
      ],
      "Returns the accounts that meet all conditions: email, phoneNumber, displayName and subject\n"
        + "(whole and exact; accounts.search finds parts), providerID, disabled, verified, anonymous,\n"
        + "createdSince, createdBefore, seenSince (signed in since), notSeenSince (not, or never),\n"
        + "providers = { all, of, these } or { all = { … }, any = { … }, none = { … } },\n"
        + "claims = \"admin\" or { plan = \"gold\" }.\n"
        + "Times are \"2h\", \"1 day ago\", \"today\", \"yesterday\", \"2026-11-01\" (midnight here),\n"
        + "\"2026-11-01 14:30\", RFC 3339 or milliseconds. order is \"uid\", \"newest\", \"oldest\" or\n"
        + "\"lastSeen\"; after is the account after which the list continues. limit is the maximum number of\n"
        + "accounts, by default 1000. If more accounts match the default limit, a warning is printed and the\n"
        + "second result is { truncated = true, limit = 1000 }."),
    HelpTopic(
      "accounts.each", takes: "filter",
      ["for account in accounts.each { disabled = true } do print(account.uid) end"],
      "Iterates over accounts in constant memory, with the conditions of accounts.find. Without an\n"
        + "argument it iterates over all accounts. accounts.each {} is refused, because a condition that\n"
        + "is nil by mistake leaves the table empty. Each account is read when its turn comes. The loop\n"
        + "skips accounts that it has made, deleted or merged, and those that no longer match."),
    HelpTopic(
      "accounts.create", takes: "fields, options",
      ["accounts.create { email = \"ada@example.com\", reason = \"ticket 7\" }"],
      "Creates an account from email, emailVerified, displayName, photoURL, phoneNumber, password,\n"
        + "customClaims, disabled and uid. At least one is required."),
    HelpTopic(
      "accounts.count", takes: "filter",
      ["accounts.count()", "accounts.count { verified = false }"],
      "Returns the number of accounts, or of those that meet the conditions of accounts.find."),
    HelpTopic(
      "accounts.restore", takes: "uid, options",
      ["accounts.restore \"ada\"", "accounts.restore(\"ada\", { force = true })"],
      "Restores a deleted account by its uid. Earlier sessions and codes stay void. It is refused if\n"
        + "another account has an identity, an address or a number of it now; force = true restores it\n"
        + "without these."),
    HelpTopic(
      "accounts.purge", takes: "uid, options",
      ["accounts.purge(\"ada\", { reason = \"asked for it\" })"],
      "Removes what is kept of a deleted account, which cannot be restored then. Its uid is free."),
    HelpTopic(
      "accounts.undo", takes: "receipt, options",
      ["accounts.undo(receipt)", "accounts.undo(id, { force = true })"],
      "Undoes a split, a move or a merge exactly. It is refused if later changes would be lost (unless\n"
        + "force = true), and if an account was deleted or has a new owner. revive is that of merge.undo."
    ),
  ]

  private static let account = [
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

  private static let providers = [
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
    HelpTopic(
      "auth.signIn", takes: "credential, options", ["auth.signIn(credential)"],
      "Signs in as a client does. Returns { account = …, isNewUser = …, receipt = …, trace = … }, or\n"
        + "a resolver if the account has a second factor."),
    HelpTopic(
      "resolver.hints", ["resolver.hints"],
      "The second factors that can complete the sign-in. Phone numbers are masked."),
    HelpTopic(
      "resolver:challenge", takes: "hint, options", ["resolver:challenge(1)"],
      "Chooses a hint by its position or uid. A phone gets its code."),
    HelpTopic(
      "resolver:resolve", takes: "code, options", ["resolver:resolve(\"123456\")"],
      "Completes the sign-in with the code of the chosen factor."),
    HelpTopic(
      "auth.sendCode", takes: "providerID, recipient, options",
      ["sent = auth.sendCode(\"phone\", \"+15555550123\")", "sent.verificationID"],
      "Sends a code (\"phone\") or a link (\"emailLink\"). With { account = … } it can only be linked to\n"
        + "that account."),
    HelpTopic(
      "auth.authorize", takes: "providerID, request, options",
      ["auth.authorize(\"google.com\", { redirectURI = \"https://app.example/callback\" })"],
      "Returns the address at which a browser signs in at the vendor, with state, nonce and PKCE."),
    HelpTopic(
      "auth.callback", takes: "providerID, url, options",
      ["auth.callback(\"google.com\", \"https://app.example/callback?code=…\")"],
      "Returns the credential of the address to which the browser came back. It works only in the\n"
        + "session that began the sign-in, within 15 minutes."),
    HelpTopic(
      "auth.signUp", takes: "credential, options", ["auth.signUp(credential)"],
      "Creates an account from a credential with an e-mail address and a new password."),
  ]

  private static let plugins = [
    HelpTopic(
      "plugins.list", takes: "", ["plugins.list()"],
      "Lists the loaded provider plug-ins with their versions, and the files that cannot be loaded.\n"
        + "help \"plug-in language\" lists the words of a plug-in file."),
    HelpTopic(
      "plugins.reload", takes: "providerID",
      ["plugins.reload \"discord.com\"", "plugins.reload()"],
      "Loads the new text of one file, or of all. A sign-in that has begun continues with the old text.\n"
        + "A text that cannot be loaded is refused with its line, and the old one stays. Changed files\n"
        + "are also reloaded before each input."),
    HelpTopic(
      "plugins.load", takes: "file", ["plugins.load \"acme.lua\""],
      "Loads a file from any folder, for this session."
    ),
  ]

  /// The words of a plug-in file, which do not exist in the console.
  static let language = PluginWord.all.map { word in
    HelpTopic(word.name, word.forms, "In a plug-in file. " + word.about)
  }

  private static let merging = [
    HelpTopic(
      "merge.plan", takes: "keep, absorb, options",
      [
        "plan = merge.plan(ada, \"u2\")",
        "merge.plan(ada, \"u2\", { fields = { displayName = \"newest\", customClaims = \"union\" } })",
      ],
      "Plans the merge of the second account into the first; nothing is written. The uid of an\n"
        + "absorbed account is refused.\n"
        + "Rules: keep theirs newest oldest, union and union-or-refuse (customClaims), verified (email, its\n"
        + "default), a function of both values and both accounts, { value = … }, or for customClaims a table\n"
        + "of rules by claim. The result has one password, of its own address.\n"
        + "dropIdentities = { \"github.com/583231\" } discards identities; an identity of a phone number or an\n"
        + "e-mail address takes the number or the address with it."),
    HelpTopic(
      "plan:commit", takes: "options", ["plan:commit { reason = \"same person\" }"],
      "Carries out the plan."),
    HelpTopic(
      "merge.undo", takes: "receipt, options",
      [
        "merge.undo(receipt)", "merge.undo(id, { force = true })",
        "merge.undo(id, { revive = true })", "merge.undo(id, { dryRun = true })",
        "merge.undo(id, { keep = { \"displayName\", \"customClaims\" } })",
      ],
      "Restores both accounts exactly. It is refused if later changes would be lost (unless\n"
        + "force = true), and if the merged account has a new owner. If the merged account was deleted,\n"
        + "revive = true restores both within mergeRetentionDays, unless the person has a new account.\n"
        + "dryRun = true shows both accounts beside the one that is there now, and each later change. keep\n"
        + "keeps later values on the survivor: of displayName, photoURL, customClaims, disabled, screenName,\n"
        + "language, timeZone and dateOfBirth. If everything is kept, no force is needed."
    ),
    HelpTopic(
      "merge.list", takes: "filter",
      [
        "merge.list()", "merge.list { account = ada, limit = 10 }", "merge.list { batch = id }",
      ],
      "Lists merges, newest first: all, or up to limit. merge.list() lists those of all accounts;\n"
        + "merge.list {} is refused."),
    HelpTopic(
      "merge.offers", takes: "options", ["merge.offers()", "merge.offers { limit = 10 }"],
      "Lists merges that wait for an admin, from the newest 10,000 events: those that a policy asks to\n"
        + "review, with its reason, and those that a policy with unproven = true would make if both accounts\n"
        + "were proven. If there are older events, the second result has truncated = true."
    ),
    HelpTopic(
      "merge.planOffer", takes: "offer", ["plan = merge.planOffer(merge.offers()[1])"],
      "Runs the policy again for an offer; its review and its requirements count as approved.\n"
        + "plan:commit carries out the merge."),
    HelpTopic(
      "merge.planAll", takes: "options",
      [
        "list = merge.planAll { by = \"email\" }",
        "list = merge.planAll { by = \"email\", policy = \"keep-oldest.lua\", limit = 500 }",
        "list = merge.planAll { fields = { displayName = \"newest\" }, after = list.next }",
      ],
      "Proposes merges of accounts that share an email, a verifiedEmail, a similarEmail or a phone;\n"
        + "nothing is written. A group of more than two becomes pairs with one survivor: the account that\n"
        + "verified the address, or else the oldest. Each pair has a decision with its reason: merge, leave\n"
        + "(impossible, or refused by the policy) or look. Look means that the accounts may be two people's:\n"
        + "nobody verified the address, an account that did not would bring a way to sign in, the addresses\n"
        + "are only similar, or one account is disabled or brings a second factor. policy = true asks the\n"
        + "policy in use, a text that of a file; fields and dropIdentities are those of merge.plan. limit is\n"
        + "by default 10,000 pairs; after = list.next continues the list."
    ),
    HelpTopic(
      "merge.load", takes: "file, options",
      ["list = merge.load \"plans.csv\"", "merge.load(\"plans.csv\", { replan = true })"],
      "Reads a saved list, also one that was edited or made by hand with the columns decision, keep and\n"
        + "absorb. A pair whose account changed after it was saved has the decision changed and is not\n"
        + "merged; replan = true plans it again. Pairs that the batch of the list has merged are done."
    ),
    HelpTopic(
      "merge.batch", takes: "id",
      [
        "batch = merge.batch \"1m88fkxqkn614j1g\"",
        "merge.batch(id):undo { reason = \"wrong list\" }",
      ],
      "Returns a batch of merges. Fields: id begunAt actor reason planned merged."),
    HelpTopic(
      "merge.batches", takes: "options", ["merge.batches()", "merge.batches { limit = 5 }"],
      "Lists the newest 1000 batches, newest first."),
    HelpTopic(
      "mergeList:save", takes: "file, options",
      ["list:save \"plans.csv\"", "list:save(\"plans.json\", { overwrite = true })"],
      "Writes the list to a file, one line for each pair with its evidence. Strike lines, or set the\n"
        + "decision of a line to merge, look or leave, and read the file back with merge.load."),
    HelpTopic(
      "mergeList:plan", takes: "number", ["list:plan(3)"],
      "Returns one pair of a list as a plan, which shows both accounts side by side."),
    HelpTopic(
      "mergeList:commit", takes: "options",
      [
        "list:commit { dryRun = true }",
        "list:commit { reason = \"duplicates of 2025\", limit = 100 }",
      ],
      "Merges the pairs whose decision is merge, as one batch. The result counts them, and names each\n"
        + "pair that was refused. After Ctrl-C or a crash the same call continues, also with the saved file;\n"
        + "no pair is merged twice."),
    HelpTopic(
      "mergeBatch:commit", takes: "options",
      ["batch:commit {}", "batch:commit { replan = true, limit = 100 }"],
      "Merges the pairs of the batch's last list that are not merged yet. Pairs whose accounts changed\n"
        + "stay, unless replan = true."),
    HelpTopic(
      "mergeBatch:undo", takes: "options",
      ["batch:undo { reason = \"wrong list\" }", "batch:undo { dryRun = true }"],
      "Undoes the merges of a batch, the last one first. One that cannot be undone stays, as with\n"
        + "merge.undo, and is named in the result; force = true loses later changes, and keep keeps values."
    ),
    HelpTopic(
      "duplicates.find", takes: "filter", ["duplicates.find { by = \"similarEmail\" }"],
      "Lists accounts that share an address or a number: by email, verifiedEmail, similarEmail (the\n"
        + "address without case and accents) or phone."),
    HelpTopic(
      "policy.use", takes: "file, options",
      [
        "policy.use \"Scripts/policies/keep-oldest.lua\"",
        "policy.use(\"new.lua\", { level = \"shadow\", reason = \"ticket 1182\" })",
        "policy.use(\"new.lua\", { canary = 0.1 })",
      ],
      "Lets a policy resolve conflicts from now on, if its checks allow it, and prints what is in use. Each\n"
        + "new text is a version of the history. It is not asked if an\n"
        + "account is unproven (unless the file has unproven = true: see merge.offers), if the other\n"
        + "account has a second factor, or if one of the two is disabled. level = \"shadow\" only records its\n"
        + "answers beside the policy in use, \"advise\" makes its merges wait in merge.offers, and canary lets\n"
        + "it decide a share of the pairs. force = true with a reason uses a policy that a check refuses."
    ),
    HelpTopic(
      "policy.current", takes: "", ["policy.current()"],
      "Returns the policy in use with its version and level, or nil. trial is the one beside it."),
    HelpTopic(
      "policy.history", takes: "options", ["policy.history()", "policy.history { limit = 10 }"],
      "Lists the versions of the policies, newest first: who put each to use, when and why, and how its\n"
        + "examples went. before = a number continues the list."),
    HelpTopic(
      "policy.version", takes: "number", ["policy.version(3)"],
      "Returns a version of the history with its text."),
    HelpTopic(
      "policy.diff", takes: "a, b", ["policy.diff(2, 3)", "policy.diff(2, \"new.lua\")"],
      "Compares two texts by lines. Each is a version or a file; b is the policy in use by default."
    ),
    HelpTopic(
      "policy.rollback", takes: "number, options",
      ["policy.rollback(2, { reason = \"too many merges\" })"],
      "Puts the text of an earlier version to use again, as a new version that names it."),
    HelpTopic(
      "policy.promote", takes: "options",
      ["policy.promote { reason = \"no difference in a week\" }"],
      "Puts the policy on trial to use, or lets the policy that advises decide."),
    HelpTopic(
      "policy.test", takes: "file", ["policy.test \"Scripts/policies/keep-oldest.lua\""],
      "Runs each example of a policy separately, and prints the plan that the policy makes and the lines\n"
        + "of log.info. time.now() is the\n"
        + "example's now = \"2026-05-01T12:00:00Z\" (or milliseconds), or else the time of the test. In a\n"
        + "decision it is the time of the conflict, and no state of earlier decisions is left.\n"
        + "The last line is the coverage: the lines that the examples reach, and both ways of each condition\n"
        + "and loop. A script finds it in policy.test(file).coverage."
    ),
    HelpTopic(
      "policy.ask", takes: "file, current, existing, options",
      [
        "policy.ask(\"Scripts/policies/keep-oldest.lua\", ada, \"u2\")",
        "policy.ask(nil, ada, \"u2\", { proof = { existing = false }, session = { secondFactor = true } })",
      ],
      "Asks a policy about two accounts as if the first linked what the second has; nothing is written.\n"
        + "The result is the answer, and for a merge also its plan. The options say what a client would have\n"
        + "shown, as in an example of a policy; without them both accounts are proven. nil stands for the\n"
        + "policy in use."
    ),
    HelpTopic(
      "policy.debug", takes: "file, conflict, options",
      [
        "policy.debug(\"Scripts/policies/keep-oldest.lua\", 1)",
        "policy.debug(\"keep.lua\", \"a visitor\", { commands = { \"next\", \"locals\" } })",
        "policy.debug(\"keep.lua\", { current = { createdAt = 2 }, existing = { createdAt = 1 } })",
      ],
      "Decides a conflict line by line. The commands are step, next, continue, break LINE, clear, locals,\n"
        + "print EXPR, where, source and quit; help explains them. The conflict is the number or the name of an\n"
        + "example (1 if left out), or a table like an example. The decision runs in the sandbox of policies,\n"
        + "and nothing is written. Expressions see copies of the variables. Without a terminal, commands lists\n"
        + "the commands; after the last one the decision runs to its end. Returns the answer, and the lines\n"
        + "that were logged."),
    HelpTopic(
      "policy.prove", takes: "file", ["policy.prove \"Scripts/policies/keep-oldest.lua\""],
      "Tries a policy on every kind of conflict that it can see. The table has a line for each property: every\n"
        + "conflict is answered, the same account survives if the two change sides, accounts are merged only with\n"
        + "proof, no way to sign in and no second factor is lost, three accounts have one survivor in any order,\n"
        + "and the answer is the same a millisecond later. A FAULT is unsafe, a remark needs a look; both come with\n"
        + "the smallest case, as an example for the file."
    ),
    HelpTopic(
      "policy.compare", takes: "first, second",
      [
        "policy.compare \"Scripts/policies/keep-current.lua\"",
        "policy.compare(\"Scripts/policies/keep-oldest.lua\", \"Scripts/policies/verified-wins.lua\")",
      ],
      "Finds the conflicts that two policies answer differently, and prints each kind of difference with\n"
        + "its smallest case as an example. One file is compared with the policy in use."),
    HelpTopic(
      "policy.decisions", takes: "filter",
      ["policy.decisions()", "policy.decisions { since = \"30 days ago\", limit = 500 }"],
      "Lists the newest 100 decisions of policies, newest first: the ID of the event, the conflict and\n"
        + "the answer. Each conflict is kept, masked, for decisionRetentionDays of the settings."),
    HelpTopic(
      "policy.replay", takes: "file, options",
      [
        "policy.replay(\"Scripts/policies/keep-oldest.lua\", { since = \"30 days ago\" })",
        "policy.replay(\"keep.lua\", { limit = 1000 }).changes.refused",
      ],
      "Decides the recorded conflicts again with a file, each with its own time, and writes nothing.\n"
        + "Prints how many are decided as before, and the others side by side with the IDs of their events.\n"
        + "Fields: summary count same changes differences (the newest 1000)."),
    HelpTopic(
      "policy.example", takes: "receipt",
      ["print(policy.example \"1m88fkxqkn614j1g\")", "policy.example(audit.tail(1)[1])"],
      "Returns the text of an example for a policy file, made of a recorded decision: the masked conflict\n"
        + "and its answer. Takes a receipt, an event or its ID."),
    HelpTopic(
      "policy.remove", takes: "options", ["policy.remove()", "policy.remove { trial = true }"],
      "Removes the policy: conflicts are errors again. trial = true removes only the one on trial. The\n"
        + "history stays."),
    HelpTopic(
      "hooks.use", takes: "file, options", ["hooks.use \"hooks.lua\""],
      "Asks a script from now on, before sign-ins and before each change of who owns what. It ends with\n"
        + "return hooks { before_create = function(event) … end, … }. The functions are before_create,\n"
        + "before_sign_in, before_link, before_unlink, before_merge, before_undo and on_conflict. The last\n"
        + "five answer allow(), refuse \"why\" or require \"second factor\", \"recent login\" or \"approval\".\n"
        + "The whole file runs for each event; time.now() is the event's time. A file whose examples fail is\n"
        + "refused, unless { force = true }."),
    HelpTopic(
      "hooks.test", takes: "file", ["hooks.test \"hooks.lua\""],
      "Runs each example of a hook file separately, and prints the answer and the lines of log.info. An\n"
        + "example has event = \"before_link\", the values of the event that matter, and expect = \"allow\",\n"
        + "{ refuse = \"why\" } or { require = \"approval\" }."),
    HelpTopic(
      "hooks.current", takes: "", ["hooks.current()"], "Returns the script of hooks in use, or nil."
    ),
    HelpTopic("hooks.remove", takes: "options", ["hooks.remove()"], "Removes the script of hooks."),
  ]

  private static let rehearsing = [
    HelpTopic(
      "begin", takes: "", ["begin()"],
      "Begins a rehearsal: each change is decided on what the earlier ones leave, reads show the result,\n"
        + "and nothing is written before commit(). Refused is what reaches beyond the store or needs several\n"
        + "transactions: sign-ins, codes, enrolments, rekeys and lists of merges. The prompt has a star.\n"
        + "On a line of their own, begin, rehearsal, commit and nevermind need no parentheses.\n"
        + "settings.set { console = { rehearses = true } } opens every console like this; scripts write at\n"
        + "once."),
    HelpTopic(
      "rehearsal", takes: "", ["rehearsal()"], "Shows the changes that commit() will write."),
    HelpTopic(
      "commit", takes: "options", ["commit { reason = \"ticket 7\" }"],
      "Writes the rehearsed changes in one transaction, all or none, and returns their receipts. The\n"
        + "reason is that of all changes without one of their own. If others changed one of the accounts,\n"
        + "nothing is written: rehearsal() shows the present state, and a second commit writes that."
    ),
    HelpTopic(
      "nevermind", takes: "", ["nevermind()"], "Ends a rehearsal and forgets its changes."),
  ]

  private static let looking = [
    HelpTopic(
      "audit.tail", takes: "n", else: "audit.find { … } takes conditions, such as actor.",
      ["audit.tail(20)"],
      "Returns the newest events, newest first, by default 10. Without a number, the second result has\n"
        + "truncated = true if there are more."),
    HelpTopic(
      "audit.find", takes: "filter",
      [
        "audit.find { action = \"link\", since = \"1 day ago\" }",
        "audit.find { actor = \"ada\", account = \"grace@example.com\", before = \"2026-11-01\" }",
      ],
      "Returns events, newest first, that meet all conditions: actor (an admin's name, or one such as\n"
        + "\"account:UID\"), action, account (with those it absorbed), code (of a refusal), request, since\n"
        + "and before: times as in accounts.find. before may also be an event, before which the list\n"
        + "continues. limit is the maximum number of events, by default 100. what names the objects of an\n"
        + "event, such as the linked identity. since and before also bound what is read of a long log."
    ),
    HelpTopic(
      "audit.sessions", takes: "n", ["audit.sessions(20)"],
      "Lists the newest sessions of consoles, by default 10, with actor, reason, begin, end and origin.\n"
        + "They are kept if settings.set { console = { recordsSessions = true } } was called, as long as\n"
        + "events are. A session with --read-only writes nothing, so it is not kept."),
    HelpTopic(
      "audit.session", takes: "id", ["audit.session \"console-0123456789abcdef\""],
      "Returns a session with its inputs and the events of its writes. An input without a text may have\n"
        + "held a secret."),
    HelpTopic(
      "event", ["event = audit.tail(1)[1]", "for name, value in pairs(event) do print(name) end"],
      "An entry of the audit log.\n"
        + "Fields: id at action what account actor reason outcome request related changes details. outcome is\n"
        + "\"done\" or the code of the error, account the uid, related the uids of other accounts concerned.\n"
        + "changes are the values before and after, each with name, from and to; those of a secret are left\n"
        + "out, and account is set if it is another one. A receipt has changes, too.\n"
        + "pairs, json.encode and --json give the same fields, as for every object of the console."),
    HelpTopic(
      "why", takes: "receipt", ["why(receipt)", "why(lastError)"],
      "Prints the rules that led to a receipt or an error, with the input and the result of each, and\n"
        + "the changed values before and after. Secrets are left out."),
  ]

  private static let showing = [
    HelpTopic(
      "show", takes: "value", ["show(accounts.find())"],
      "Returns a result that can be written: as CSV, as JSON, into a file. It prints as it does without\n"
        + "show."),
    HelpTopic(
      "shown:csv", takes: "file, options",
      [
        "show(x):csv \"accounts.csv\"", "show(x):csv(\"accounts.csv\", { overwrite = true })",
        "show(x):csv()",
      ],
      "Writes a list or a record as CSV (RFC 4180, UTF-8), or returns the text. A file is new, and only its\n"
        + "owner can read it; overwrite = true replaces one. At a terminal it goes below the folder in which\n"
        + "the console was started, in scripts below a folder of --allow-write. A cell that a spreadsheet\n"
        + "would take for a formula gets a ' in front; exact = true leaves it as it is."),
    HelpTopic(
      "shown:json", takes: "file, options", ["show(x):json \"accounts.json\"", "show(x):json()"],
      "Writes a result as JSON, as --json prints it, or returns the text."),
    HelpTopic(
      "set.expanded", takes: "value", ["set.expanded \"on\"", "\\x"],
      "Prints each record as a block (\"on\") or a line (\"off\"). \"auto\" prints lines if the window is wide\n"
        + "enough. \\x switches. Without an argument, this and its neighbours return the current value."
    ),
    HelpTopic(
      "set.pager", takes: "value", ["set.pager \"off\"", "set.pager \"less -S\""],
      "Sets the program for results that are longer than the screen: a command, \"off\", or \"on\" for less.\n"
        + "Default: PAGER, or less. Scripts and pipes have none."),
    HelpTopic(
      "set.timing", takes: "value", ["set.timing \"on\"", "\\timing"],
      "Prints the time that each statement takes."),
    HelpTopic(
      "set.zone", takes: "value", ["set.zone \"Europe/Paris\""],
      "Sets the time zone in which times are shown. Default: TZ, or the machine's zone. JSON and CSV have\n"
        + "UTC."),
  ]

  private static let settings = [
    HelpTopic(
      "settings.get", takes: "", ["settings.get()"],
      "Returns the settings of this project or tenant, in the form that settings.set takes."),
    HelpTopic(
      "settings.set", takes: "settings, options",
      [
        "settings.set { identitiesPerProvider = \"many\" }",
        "settings.set { signIn = { allowsSignUp = false, passwordPolicy = { minimumLength = 12 } } }",
      ],
      "Changes the named settings, also those in tables; all others stay. why(receipt) lists the\n"
        + "changes. profileOnSignIn applies a vendor's profile when a person signs in again: \"fill\"\n"
        + "fills empty fields, \"follow\" replaces fields, \"keep\" changes nothing.\n"
        + (SettingText.lines + ["Settings with their own functions:"] + SettingText.linesElsewhere)
        .joined(separator: "\n")),
    HelpTopic(
      "tenants.list", takes: "", ["tenants.list()"],
      "Lists the tenants of this project, by name. authgraph console --tenant NAME opens one."),
    HelpTopic(
      "settings.trust", takes: "providerID, trust, options",
      ["settings.trust(\"github.com\", { \"example.com\" })"],
      "Sets whether a provider's verified e-mail addresses are trusted: \"always\", \"never\", or for a list\n"
        + "of domains."
    ),
  ]
}
