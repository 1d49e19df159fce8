extension HelpTopic {
  /// Finding, creating and restoring accounts.
  static let accounts: [HelpTopic] = [
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
}
