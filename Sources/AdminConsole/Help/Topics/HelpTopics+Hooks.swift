extension HelpTopic {
  /// Scripts that are asked before sign-ins and changes.
  static let hooks: [HelpTopic] = [
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
        + "example has event, which is the name of one of the functions, the values of the event that matter,\n"
        + "and expect = \"allow\", { refuse = \"why\" } or { require = \"approval\" }; for before_create and\n"
        + "before_sign_in also the changes, such as { sessionClaims = { plan = \"basic\" } }."),
    HelpTopic(
      "hooks.current", takes: "", ["hooks.current()"], "Returns the script of hooks in use, or nil."
    ),
    HelpTopic("hooks.remove", takes: "options", ["hooks.remove()"], "Removes the script of hooks."),
  ]
}
