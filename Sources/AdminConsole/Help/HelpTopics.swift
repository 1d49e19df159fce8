import LuaPlugins

extension HelpTopic {
  /// Every function of the admin API, in the order in which an admin meets them.
  static let all: [HelpTopic] =
    accounts + account + providers + plugins + merging + looking + settings
    + [
      HelpTopic(
        "input.lines", ["for uid in input.lines() do print(uid) end"],
        "Goes through the lines that are piped into authgraph run FILE or authgraph -e."),
      HelpTopic(
        "exit", ["exit()", "exit(3)"],
        "Ends the script or the console with a status, which is 0 unless given; nothing catches it.\n"
          + "As a line of its own, typed or piped in, exit is enough. quit is the same."),
      HelpTopic(
        "help", ["help()", "help \"link\""], "This overview, or what there is to say about a name."),
    ]

  private static let accounts = [
    HelpTopic(
      "accounts.get", ["accounts.get \"ada@example.com\""],
      "The account with this uid, e-mail address or phone number, or nil.\n"
        + "The uid of an absorbed account gives its survivor."),
    HelpTopic(
      "accounts.find", ["accounts.find { email = \"ada@example.com\" }"],
      "A list of accounts by email, phoneNumber, providerID, subject, displayName and disabled,\n"
        + "all of which have to fit. At most limit, which is 1000 unless given. If more fit than these\n"
        + "1000, a warning says so, and a second result is { truncated = true, limit = 1000 }."),
    HelpTopic(
      "accounts.each",
      ["for account in accounts.each { disabled = true } do print(account.uid) end"],
      "Goes through accounts in constant memory; takes what accounts.find takes. accounts.each() goes\n"
        + "through all; accounts.each {} is refused, because a condition that is nil leaves it empty.\n"
        + "Each is handed out as it is then. What the loop deletes, merges or changes so that it does\n"
        + "not fit any more is left out, and so is what the loop makes."),
    HelpTopic(
      "accounts.create", ["accounts.create { email = \"ada@example.com\", reason = \"ticket 7\" }"],
      "Makes an account from email, emailVerified, displayName, photoURL, phoneNumber, password,\n"
        + "customClaims, disabled and uid, each of which may be left out."),
    HelpTopic("accounts.count", ["accounts.count()"], "How many accounts there are."),
  ]

  private static let account = [
    HelpTopic(
      "account", ["ada = accounts.get \"ada@example.com\"", "ada.providerData"],
      "Fields: uid email emailVerified displayName photoURL phoneNumber disabled isAnonymous\n"
        + "customClaims metadata multiFactor providerData. They are read again after each change.\n"
        + "An account is the uid that was read, and one key of a table: t[accounts.get \"ada\"] is t[ada].\n"
        + "Once it was merged, deleted or replaced (made anew, or taken over by another owner), all its\n"
        + "writes are errors, and gone is \"merged\", \"deleted\" or \"replaced\", otherwise nil. Of a merged\n"
        + "or deleted one uid, mergedInto (the survivor's uid) and history are left; its other fields\n"
        + "are errors. Those of a replaced one are its new owner's, who is read with accounts.get."),
    HelpTopic(
      "account:link",
      [
        "ada:link(providers[\"password\"].credential { email = …, password = … })",
        "ada:link { providerID = \"github.com\", subject = \"583231\", reason = \"ticket 1182\" }",
      ],
      "Adds a way to sign in: by a credential, which is verified, or on an admin's word.\n"
        + "An identity of another account is a conflict, which the merge policy may answer."),
    HelpTopic(
      "account.multiFactor", ["ada.multiFactor", "ada.multiFactor.enrolledFactors"],
      "The second factors of an account."),
    HelpTopic(
      "multiFactor:enroll",
      [
        "open = ada.multiFactor:enroll { phoneNumber = \"+15555550123\" }",
        "open = ada.multiFactor:enroll \"totp\"",
      ],
      "Begins to enrol a phone, which is sent a code, or an authenticator app."),
    HelpTopic(
      "enrollment:save", ["open:save \"key.txt\""],
      "Writes the key of an authenticator app to a file of one's own, as a URI for a QR code."),
    HelpTopic("enrollment:reveal", ["open:reveal()"], "Gives that URI; nothing else shows it."),
    HelpTopic(
      "enrollment:finish", ["open:finish(\"123456\", { displayName = \"Work phone\" })"],
      "Completes an enrolment with the first code; every session of the account ends."),
    HelpTopic(
      "multiFactor:unenroll", ["ada.multiFactor:unenroll(1)"],
      "Takes a second factor away, by its place in enrolledFactors or its uid."),
    HelpTopic(
      "multiFactor:recover", ["ada.multiFactor:recover { reason = \"lost both, seen in person\" }"],
      "Takes all second factors away from somebody who lost them; the reason has to be given."),
    HelpTopic(
      "account:unlink",
      ["ada:unlink \"github.com\"", "ada:unlink(\"github.com\", { force = true })"],
      "Takes a way to sign in away. The last one stays unless forced. Where the account has\n"
        + "several identities of the provider, subject = … names one."),
    HelpTopic(
      "account:update", ["ada:update { displayName = \"Ada\", reason = \"asked for it\" }"],
      "Changes email, emailVerified, displayName, photoURL, phoneNumber, password, customClaims\n"
        + "or disabled. json.null clears a field. The last way in stays unless force = true. An update\n"
        + "without any field is refused."),
    HelpTopic("account:disable", ["ada:disable { reason = \"abuse\" }"], "Shuts the account out."),
    HelpTopic("account:enable", ["ada:enable()"], "Lets a disabled account in again."),
    HelpTopic(
      "account:delete", ["ada:delete { dryRun = true }"],
      "Deletes the account and everything it owns. There is no undo."),
    HelpTopic("account:revokeSessions", ["ada:revokeSessions()"], "Ends every session."),
    HelpTopic(
      "account:history", ["ada:history()", "ada:history(20)"],
      "What happened to the account and to those it absorbed, newest first; all of it, or up to n."),
    HelpTopic("account:graph", ["ada:graph()"], "Everything that hangs on the account, as a tree."),
    HelpTopic("graph.tree", ["graph.tree \"ada@example.com\""], "The same by key."),
    HelpTopic("graph.dot", ["print(graph.dot \"ada@example.com\")"], "The same for Graphviz."),
  ]

  private static let providers = [
    HelpTopic("providers.list", ["providers.list()"], "The ways to sign in."),
    HelpTopic(
      "providers.credential",
      [
        "providers[\"password\"].credentials",
        "providers[\"password\"].credential { email = …, password = … }",
      ],
      "What credentials a provider takes, and making one. Tab completes the fields."),
    HelpTopic(
      "providers.configure",
      [
        "providers.configure(\"google.com\", { clientIDs = { \"web.example\" } })",
        "providers[\"google.com\"].settings", "providers[\"google.com\"].configuration",
      ],
      "Sets a provider up for this project or tenant: what can be set, and what is. What is not\n"
        + "named stays; json.null takes a setting away. Secrets are kept sealed and never shown: a\n"
        + "configuration has an object for each, which means the same secret when it is given back.\n"
        + "OpenID Connect providers have names of their own: oidc.NAME, with issuer and clientID."),
    HelpTopic(
      "secret",
      ["providers.configure(\"google.com\", { clientSecret = secret() })"],
      "Asks for a secret at the terminal without showing it, so that no input holds it. It is given\n"
        + "for a password, a secret setting, a field of a credential or a code. Inputs that may hold a\n"
        + "secret are not kept in the history file."),
    HelpTopic(
      "providers.forget",
      ["providers.forget \"oidc.staff\"", "providers.forget(\"oidc.staff\", { force = true })"],
      "Forgets how a provider was set up, and ends the trust in it. If accounts are linked with it,\n"
        + "it says how many and needs force = true. They stay linked. Until they are unlinked the name\n"
        + "can be set up again only for the same issuer or app."),
    HelpTopic(
      "providers.rekey",
      [
        "plan = providers[\"apple.com\"].rekey { map = \"transfer.csv\" }",
        "plan = providers[\"x.com\"].rekey { from = { providerID = \"twitter.com\" } }",
        "plan = providers[\"oidc.staff\"].rekey { from = \"https://old\", to = \"https://new\" }",
      ],
      "What giving identities new keys would do; nothing is written. from and to are issuers, or\n"
        + "{ providerID =, issuer = }. map is a table of old and new subjects, a function of the old\n"
        + "one, or a .csv or .json file of pairs; without it subjects stay. For window seconds, 60\n"
        + "days unless given, both keys sign in to the same account. counts has all; unmapped and\n"
        + "conflicts list the first 20, and truncated says whether there are more."),
    HelpTopic(
      "providers.rekeys", ["providers[\"apple.com\"].rekeys()"],
      "The rekeys of a provider that are neither finished nor rolled back, to go on with."),
    HelpTopic(
      "rekey:commit", ["plan:commit { reason = \"team transfer\", batch = 500 }"],
      "Does it, in batches. What is in conflict or without a new subject stays. Interrupted, the\n"
        + "same call goes on where it was; a plan of rekeys() wants its map again: map = …"),
    HelpTopic(
      "rekey:rollback", ["plan:rollback { reason = \"wrong file\" }"],
      "Takes a rekey back: new keys go, old ones are as they were. Not once it was finished."),
    HelpTopic(
      "rekey:finish", ["plan:finish { reason = \"window over\" }"],
      "Forgets the old keys. Who comes with one afterwards is a stranger, so inside the window it\n"
        + "wants force = true."),
    HelpTopic(
      "auth.signIn", ["auth.signIn(credential)"],
      "Enters as a client would: { account =, isNewUser =, receipt =, trace = }, or an error.\n"
        + "Where the account has a second factor it gives a resolver instead."),
    HelpTopic(
      "resolver.hints", ["resolver.hints"],
      "The second factors that a sign-in can go on with; numbers are masked."),
    HelpTopic(
      "resolver:challenge", ["resolver:challenge(1)"],
      "Chooses a hint by its place or uid; a phone is sent its code."),
    HelpTopic(
      "resolver:resolve", ["resolver:resolve(\"123456\")"],
      "Shows the code of the chosen factor, and completes what waited for it."),
    HelpTopic(
      "auth.sendCode",
      ["sent = auth.sendCode(\"phone\", \"+15555550123\")", "sent.verificationID"],
      "Sends a code or a link, by phone or emailLink; with { account = … } one that only links."),
    HelpTopic(
      "auth.authorize",
      ["auth.authorize(\"google.com\", { redirectURI = \"https://app.example/callback\" })"],
      "Where a browser has to go to sign in at the vendor, with state, nonce and PKCE."),
    HelpTopic(
      "auth.callback", ["auth.callback(\"google.com\", \"https://app.example/callback?code=…\")"],
      "The credential that the address stands for which the browser came back to. Only in the session\n"
        + "that began it, and inside a quarter of an hour."),
    HelpTopic(
      "auth.signUp", ["auth.signUp(credential)"],
      "Opens an account with an e-mail address and a password that is chosen now."),
  ]

  private static let plugins = [
    HelpTopic(
      "plugins.list", ["plugins.list()"],
      "The provider plug-ins that are loaded, with their versions, and files that cannot be used.\n"
        + "help \"plug-in language\" lists the words of a plug-in file."),
    HelpTopic(
      "plugins.reload", ["plugins.reload \"discord.com\"", "plugins.reload()"],
      "Puts a file's new text in place of the old one, at once and whole; who began with the old one\n"
        + "ends with it. A text that cannot be used is refused with its line, and the old one stays.\n"
        + "Changed files are picked up before each input anyway."),
    HelpTopic(
      "plugins.load", ["plugins.load \"acme.lua\""], "Loads a file of any folder, for this session."
    ),
  ]

  /// The words of a plug-in file, which do not exist in the console.
  static let language = PluginWord.all.map { word in
    HelpTopic(word.name, word.forms, "In a plug-in file. " + word.about)
  }

  private static let merging = [
    HelpTopic(
      "merge.plan",
      [
        "plan = merge.plan(ada, \"u2\")",
        "merge.plan(ada, \"u2\", { fields = { displayName = \"newest\", customClaims = \"union\" } })",
      ],
      "What merging the second account into the first would do; nothing is written. The uid of an\n"
        + "absorbed account is refused.\n"
        + "Rules: keep theirs newest oldest, union (customClaims), verified (email, its default), a function\n"
        + "of both values and both accounts, { value = … }. The result has one password, of its own address.\n"
        + "dropIdentities = { \"github.com/583231\" } loses identities on purpose, and with the way in by a\n"
        + "number or an address the number or the address."),
    HelpTopic("plan:commit", ["plan:commit { reason = \"same person\" }"], "Does it."),
    HelpTopic(
      "merge.undo",
      [
        "merge.undo(receipt)", "merge.undo(id, { force = true })",
        "merge.undo(id, { revive = true })",
      ],
      "Restores both accounts exactly. Refuses if later changes would be lost, unless forced, and if\n"
        + "the merged account has another owner since. If it was deleted, only revive = true brings both\n"
        + "back, within mergeRetentionDays and unless the person has an account again."),
    HelpTopic(
      "merge.list", ["merge.list()", "merge.list { account = ada, limit = 10 }"],
      "Merges, newest first; all of them unless a limit is given. merge.list() is of all accounts,\n"
        + "merge.list {} is refused."),
    HelpTopic(
      "merge.offers", ["merge.offers()", "merge.offers { limit = 10 }"],
      "Merges that a policy with unproven = true would make if both accounts had been shown, among\n"
        + "the newest 10,000 events. If there are older ones, a second result says truncated = true."
    ),
    HelpTopic(
      "merge.planOffer", ["plan = merge.planOffer(merge.offers()[1])"],
      "Asks the policy about an offer again; plan:commit makes the merge."),
    HelpTopic(
      "duplicates.find", ["duplicates.find { by = \"email\" }"],
      "Accounts with something in common: by email, verifiedEmail or phone."),
    HelpTopic(
      "policy.use", ["policy.use \"Scripts/policies/keep-oldest.lua\""],
      "Lets a policy answer conflicts from now on, if all its examples pass. Not asked where\n"
        + "an account was not shown (unless the file says unproven = true: see merge.offers), where\n"
        + "the other account has a second factor, or one of the two is disabled."),
    HelpTopic("policy.current", ["policy.current()"], "The policy in use, or nil."),
    HelpTopic(
      "policy.test", ["policy.test \"Scripts/policies/keep-oldest.lua\""],
      "Runs its examples, each on its own, and shows what the policy logged with log.info. An example has\n"
        + "the time now = \"2026-05-01T12:00:00Z\" (or milliseconds); without one, time.now() is the moment of\n"
        + "the test. In a decision it is the moment of the conflict, and nothing is left of earlier ones."
    ),
    HelpTopic("policy.remove", ["policy.remove()"], "Conflicts are errors again."),
    HelpTopic(
      "hooks.use", ["hooks.use \"hooks.lua\""],
      "Has a script asked before sign-ins from now on. It ends with return hooks {\n"
        + "before_create = function(event) … end, before_sign_in = function(event) … end }. The file is run\n"
        + "anew for each event; time.now() is the event's time."),
    HelpTopic("hooks.current", ["hooks.current()"], "The script of hooks in use, or nil."),
    HelpTopic("hooks.remove", ["hooks.remove()"], "No script is asked any more."),
  ]

  private static let looking = [
    HelpTopic(
      "audit.tail", ["audit.tail(20)"],
      "The newest events, newest first; 10 unless a number is given. A second result says then\n"
        + "truncated = true if there are more."),
    HelpTopic(
      "why", ["why(receipt)", "why(lastError)"],
      "The rules that led to it, with what each looked at and said."),
  ]

  private static let settings = [
    HelpTopic(
      "settings.get", ["settings.get()"],
      "What was decided for this project or tenant, in the form that settings.set takes."),
    HelpTopic(
      "settings.set",
      [
        "settings.set { identitiesPerProvider = \"many\" }",
        "settings.set { signIn = { allowsSignUp = false, passwordPolicy = { minimumLength = 12 } } }",
      ],
      "Changes what is named, also inside a table; the rest stays. The receipt's why tells what was\n"
        + "changed. profileOnSignIn says what a vendor's word does to the profile of who comes again:\n"
        + "\"fill\" fills what is empty, \"follow\" replaces, \"keep\" leaves everything.\n"
        + (SettingText.lines + ["Changed by functions of their own:"] + SettingText.linesElsewhere)
        .joined(separator: "\n")),
    HelpTopic(
      "settings.trust", ["settings.trust(\"github.com\", { \"example.com\" })"],
      "How far a provider's word on a verified e-mail counts: \"always\", \"never\", or for domains."
    ),
  ]
}

enum HelpText {
  static var language: String {
    let groups = PluginWord.Group.allCases.map { group in
      let names = PluginWord.all.filter { $0.group == group }.map(\.name)
      return "  \(group.rawValue): \(names.joined(separator: ", "))"
    }
    return """
      A provider plug-in is a Lua file that ends with return provider { … }. Its words:

      \(groups.joined(separator: "\n"))

      help "http.get" tells about one of them; authgraph plugin new begins a file.
      """
  }

  static var overview: String {
    var groups: [(title: String, names: [String])] = []
    for topic in HelpTopic.all {
      let group = topic.name.prefix { $0 != "." && $0 != ":" }
      if let last = groups.last, last.title == group {
        groups[groups.count - 1].names.append(topic.name)
      } else {
        groups.append((String(group), [topic.name]))
      }
    }
    let list = groups.map { "  " + $0.names.joined(separator: "  ") }.joined(separator: "\n")
    return """
      Accounts, their identities and how they came together; in Lua 5.4.

      \(list)

      help "link" tells about one of them. Every write takes { reason = …, dryRun = true } last;
      with dryRun everything is decided and nothing written. Results are printed without return,
      cut on a terminal and whole in a file or pipe; print writes the bytes of its strings there.
      _ is the last one, lastError the last error. A name that is not defined is an error;
      rawget(_G, "name") asks. Tab completes, Ctrl-C stops a script, Ctrl-D leaves.
      What is pasted is taken as it is; a paste that ends with a newline runs, and its first error ends it.
      """
  }
}
