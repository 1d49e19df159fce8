extension HelpTopic {
  /// The audit log.
  static let looking: [HelpTopic] = [
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
}
