extension HelpTopic {
  /// The settings of a project or tenant.
  static let settings: [HelpTopic] = [
    HelpTopic(
      "settings.get", takes: "", ["settings.get()"],
      "Returns the settings of this project or tenant, in the form that settings.set takes."),
    HelpTopic(
      "settings.set", takes: "settings, options",
      [
        "settings.set { identitiesPerProvider = \"many\" }",
        "settings.set { signIn = { allowsSignUp = false, passwordPolicy = { minimumLength = 12 } } }",
      ],
      "Changes the named settings, also those in tables; all others stay. why(receipt) lists the\n"
        + "changes. profileOnSignIn applies a vendor's profile when a person signs in again: \"fill\"\n"
        + "fills empty fields, \"follow\" replaces fields, \"keep\" changes nothing.\n"
        + (SettingText.lines + ["Settings with their own functions:"] + SettingText.linesElsewhere)
        .joined(separator: "\n")),
    HelpTopic(
      "tenants.list", takes: "", ["tenants.list()"],
      "Lists the tenants of this project, by name. authgraph console --tenant NAME opens one."),
    HelpTopic(
      "settings.trust", takes: "providerID, trust, options",
      ["settings.trust(\"github.com\", { \"example.com\" })"],
      "Sets whether a provider's verified e-mail addresses are trusted: \"always\", \"never\", or for a list\n"
        + "of domains."
    ),
  ]
}
