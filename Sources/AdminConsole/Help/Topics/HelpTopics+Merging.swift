extension HelpTopic {
  /// Merges, lists of them, and accounts that may be the same person's.
  static let merging: [HelpTopic] = [
    HelpTopic(
      "merge.plan", takes: "keep, absorb, options",
      [
        "plan = merge.plan(ada, \"u2\")",
        "merge.plan(ada, \"u2\", { fields = { displayName = \"newest\", customClaims = \"union\" } })",
      ],
      "Plans the merge of the second account into the first; nothing is written. The uid of an\n"
        + "absorbed account is refused.\n"
        + "Rules: keep theirs newest oldest last-set, union and union-or-refuse (customClaims), verified\n"
        + "(email, its default), either and both (emailVerified), a function of both values and both accounts,\n"
        + "{ value = … }, or for customClaims a table of rules by claim. The result has one password, of its\n"
        + "own address.\n"
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
  ]
}
