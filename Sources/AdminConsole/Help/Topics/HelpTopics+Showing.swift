extension HelpTopic {
  /// The form in which results are shown and written.
  static let showing: [HelpTopic] = [
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
}
