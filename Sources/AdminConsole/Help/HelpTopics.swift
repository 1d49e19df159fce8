extension HelpTopic {
  /// Every function of the admin API, in the order in which an admin meets them.
  static let all: [HelpTopic] = [
    accounts, account, providers, signingIn, plugins, merging, policies, hooks, rehearsing, looking,
    showing, settings, around,
  ].flatMap(\.self)

  /// The input of a script, its end, and the help itself.
  private static let around: [HelpTopic] = [
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
}
