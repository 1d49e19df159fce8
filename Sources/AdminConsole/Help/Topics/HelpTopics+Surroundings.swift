extension HelpTopic {
  /// The values, the Lua libraries and the commands around the API.
  static let surroundings = values + lua + commands

  /// The variables and objects that functions of the API leave behind.
  private static let values = [
    HelpTopic("_", ["_"], "The result of the last input."),
    HelpTopic(
      "lastError", ["lastError", "lastError.code", "why(lastError)"],
      "The last error: code, message, field, remedy, and id if it has an event. why explains it."),
    HelpTopic(
      "arg", ["arg[1]", "arg.script"],
      "The arguments of a script: authgraph run FILE one two. arg.script is the script's name."),
    HelpTopic(
      "receipt", ["r = plan:commit { reason = \"same person\" }", "why(r)"],
      "The result of a write. Fields: id accountID action dryRun changed changes losses waysIn undo.\n"
        + "changed is false if nothing had to change. changes has name, from and to of each value, losses has\n"
        + "what a deletion takes, waysIn has by uid the ways in that stay, and undo has what an undo of a\n"
        + "merge keeps and loses. Between begin() and commit() it is that of a rehearsed change. A merge is\n"
        + "undone by merge.undo(r), a split or a move by accounts.undo(r)."
    ),
    HelpTopic(
      "trace", ["trace = why(receipt)", "trace.steps[1].rule"],
      "The rules behind an event. Fields: id action account actor reason outcome request at details\n"
        + "steps. A step has rule, inputs and result."),
    HelpTopic(
      "credential", ["providers[\"password\"].credential { email = …, password = … }"],
      "A proof of a way to sign in, for auth.signIn and account:link. Fields: providerID builder."),
    HelpTopic(
      "provider", ["google = providers[\"google.com\"]", "google.settings", "google.credentials"],
      "A way to sign in. Fields: id name kind hosts issuers settings configuration credentials\n"
        + "credential rekey rekeys. providers.configure sets it up. Its vendor can report what happens to\n"
        + "people at /v1/projects/PROJECT/providers/ID:events; authgraph doctor prints the addresses."
    ),
    HelpTopic(
      "reason", ["ada:disable { reason = \"ticket 1182\" }"],
      "The reason of a write, which the audit log keeps. Without one it is that of --reason, otherwise\n"
        + "\"console\" or the name of the script. settings.set { console = { asksReason = true } } makes\n"
        + "every console ask for one."),
    HelpTopic(
      "dryRun", ["ada:delete { dryRun = true }", "why(_)"],
      "Rehearses a write: everything is decided, nothing is written, and each field is shown before and\n"
        + "after. Every write takes it. why of the receipt shows the rules, and its changes has the fields\n"
        + "as data. begin() rehearses several changes, and commit() writes them."),
  ]

  /// The libraries of Lua in the console, and those that it lacks.
  private static let lua = [
    HelpTopic(
      "lua", ["for _, account in ipairs(accounts.find()) do print(account.email) end"],
      "The language of the console is Lua 5.4, with string, table, math, utf8 and coroutine, and with\n"
        + "json, time, hash, base64 and log. It has no io, os, require, load, dofile or debug. An\n"
        + "undefined name is an error; rawget(_G, \"name\") gives nil instead. A local variable lives until\n"
        + "the end of its input."),
    HelpTopic(
      "json", ["print(json.encode { uid = ada.uid })", "t = json.decode(text)", "json.null"],
      "Writes and reads JSON. json.null is its null, which clears a field in account:update. json.array\n"
        + "marks a list, so that an empty one is [] and not {}. authgraph --json prints results as JSON."
    ),
    HelpTopic(
      "time", ["time.now()", "time.format(time.now() - 24 * 60 * 60 * 1000)", "time.parse(text)"],
      "Times in milliseconds since 1970, and their texts: 2026-11-21T12:01:37.019Z, always in UTC.\n"
        + "Texts of this form sort by time. Conditions such as createdSince of accounts.find and since of\n"
        + "audit.find also take \"1 day ago\" or \"2026-11-01\". set.zone sets the zone in which times are\n"
        + "shown."),
    HelpTopic(
      "hash",
      ["hash.sha256(text)", "hash.hmac(\"sha256\", key, text)", "hash.equals(one, other)"],
      "Digests: sha256, sha512 and hmac, as hex text, or \"base64\" or \"base64url\" as the last argument. sha1\n"
        + "and md5 are for protocols that demand them."
    ),
    HelpTopic(
      "base64", ["base64.encode(bytes)", "base64.decodeURL(text)"],
      "Writes and reads base64, in the standard alphabet and in that of URLs."),
    HelpTopic(
      "log", ["log.info(\"found \" .. count)"],
      "Writes a line at the level info, warn or error. print writes plain text."),
    HelpTopic(
      "print", ["print(ada.email, #ada.providerData)"],
      "Prints values, separated by tabs. A result at the prompt needs no print."),
    HelpTopic(
      "io",
      ["show(x):csv \"accounts.csv\"", "authgraph run report.lua > report.txt", "input.lines()"],
      "There is no io. show(x):csv and show(x):json write files, print writes to standard output, which a\n"
        + "shell puts into a file, and input.lines() reads standard input."
    ),
    HelpTopic(
      "os", ["time.now()", "exit(3)", "arg[1]"],
      "There is no os: time.now() is the time, exit(3) ends with a status, and arg has the arguments.\n"
        + "A program of the system is started by the shell: authgraph -e … | PROGRAM."),
    HelpTopic(
      "require", ["authgraph run FILE"],
      "There is no require, dofile or load: a script is one file. Paste a function to keep it for the\n"
        + "session."),
  ]

  /// The commands of a shell that do what no function of the console does.
  private static let commands = [
    HelpTopic(
      "import", ["authgraph import users.json --hash-parameters hash.json --dry-run"],
      "Imports accounts from the JSON or CSV file that Firebase's auth:export wrote. It is a command of\n"
        + "the shell. --dry-run reports what would be refused. With --with Importers/auth0.lua it imports\n"
        + "the files of another system."),
    HelpTopic(
      "export", ["authgraph export users.json", "authgraph export --for firebase users.json"],
      "Writes all accounts to a file, as JSON. It is a command of the shell."),
    HelpTopic(
      "csv",
      [
        "show(accounts.find()):csv \"accounts.csv\"",
        "authgraph -e 'show(accounts.find()):csv()' > a.csv",
        "authgraph import users.csv",
      ],
      "show(x):csv writes any list as a table for spreadsheets. CSV files are read by authgraph import\n"
        + "and by the map of providers.rekey."),
    HelpTopic(
      "files",
      ["show(x):json \"accounts.json\"", "authgraph run --allow-write reports nightly.lua"],
      "show(x):csv and show(x):json write new files that only their owner can read. At a terminal they go\n"
        + "below the folder in which the console was started. Scripts, -e and piped code write none, unless\n"
        + "--allow-write names a folder."),
    HelpTopic(
      "startup", ["authgraph console --no-init", "authgraph run --init FILE"],
      "~/.config/authgraph/console.lua runs when the console opens at a terminal. It is the place for set\n"
        + "and for functions of your own. --no-init leaves it out, --init adds it to scripts."),
    HelpTopic(
      "project", ["authgraph console --project shop --tenant eu"],
      "The accounts of one project are separate from those of all others. The console is opened on a\n"
        + "project, by default the project default, and stays there."),
    HelpTopic(
      "tenant", ["authgraph console --tenant eu", "tenants.list()"],
      "A part of a project with accounts and settings of its own. The console is opened on a tenant or,\n"
        + "without --tenant, on the project itself."),
    HelpTopic(
      "outbox",
      ["authgraph config init authgraph.yaml", "authgraph doctor --config authgraph.yaml"],
      "Events for a web service of yours, each in the commit of its change. The server delivers them:\n"
        + "outbox in its configuration. Events that failed every attempt are dead letters: the admin API lists\n"
        + "and retries them at /admin/v1/projects/PROJECT/outbox/deadLetters."),
    HelpTopic(
      "server",
      ["authgraph serve --config authgraph.yaml", "authgraph config init authgraph.yaml"],
      "Opens the accounts to apps, by Firebase's protocol. It is a command of the shell."),
    HelpTopic(
      "backup",
      ["authgraph store backup --to accounts.bak", "authgraph store check"],
      "Copies a store in SQLite while it is in use. The key file beside the store is kept separately.\n"
        + "pg_dump copies a store in PostgreSQL. store check looks for damage. They are commands of the shell."
    ),
    HelpTopic(
      "read-only",
      ["authgraph console --read-only", "authgraph console --read-only -e 'accounts.count()'"],
      "A console that refuses every change; dry runs work. It is an option of the shell, as are --actor,\n"
        + "the person at work, and --reason."),
    HelpTopic(
      "sample", ["Scripts/console --sample", "authgraph import Scripts/samples/people.json"],
      "Eleven accounts of nine people, in a store that is removed when the console ends. tour() shows the\n"
        + "console on them."),
    HelpTopic(
      "doctor", ["authgraph doctor", "authgraph doctor --config authgraph.yaml"],
      "Checks the configuration, store, accounts, keys, clock and plug-ins. It is a command of the shell."
    ),
  ]
}
