extension PluginWord {
  /// The answers of functions.
  static let answers = [
    PluginWord(
      .answers, "identity",
      forms: ["return identity { subject = me.id, email = me.email, claims = me }"],
      "Makes the identity that verify returns, from subject, formerSubjects, email, emailVerified, displayName, "
        + "photoURL, screenName, phoneNumber and claims. Only the boolean true verifies the address."
    ),
    PluginWord(
      .answers, "refuse",
      forms: [
        "refuse \"the signature is wrong\"",
        "refuse { \"too old\", field = \"auth_date\", step = \"token\" }",
      ],
      "Ends the sign-in with invalid-credential, even inside pcall. The steps are credential, state, exchange, token "
        + "and profile."
    ),
    PluginWord(
      .answers, "once", forms: ["once(response.nonce, 3600)"],
      "Marks a value as used in the transaction of the sign-in. Another sign-in with it is refused for the given "
        + "number of seconds, from 1 to 31536000 (a year). The value is kept as a digest, for this plug-in alone."
    ),
    PluginWord(
      .answers, "pick", forms: ["pick(me, \"account.profile.nickname\")"],
      "Returns the value at a path, or nil if a part of the path is missing. A response or a secret in place of the "
        + "table is an error."),
    PluginWord(
      .answers, "log", forms: ["log.info \"…\"", "log.warn \"…\"", "log.error \"…\""],
      "Writes a line to the log. Secrets of the sign-in are masked."),
  ]
}
