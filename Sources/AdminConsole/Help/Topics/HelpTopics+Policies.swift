extension HelpTopic {
  /// Policies that resolve conflicts.
  static let policies: [HelpTopic] = [
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
  ]
}
