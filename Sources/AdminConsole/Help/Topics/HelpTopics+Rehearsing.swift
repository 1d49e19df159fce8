extension HelpTopic {
  /// Changes that are tried before they are written.
  static let rehearsing: [HelpTopic] = [
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
}
