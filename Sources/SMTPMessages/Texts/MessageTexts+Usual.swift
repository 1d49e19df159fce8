import AuthValues

extension MessageTexts {
  /// The default texts, by the kind's name.
  static let usual: [String: MessageTemplate] = [
    "email-link": usualText(
      subject: "Sign in to {project}",
      does: "Open this link to sign in to {project} as {email}:",
      otherwise: "If it was not you, ignore this message: signing in needs the link."),
    "verify-email": usualText(
      subject: "Confirm your e-mail address for {project}",
      does: "Open this link to confirm that {email} is your address at {project}:",
      otherwise: "If it was not you, ignore this message, and the address stays unconfirmed."),
    "reset-password": usualText(
      subject: "Choose a new password for {project}",
      does: "Open this link to choose a new password for {email} at {project}:",
      otherwise: "If it was not you, ignore this message, and your password stays as it is."),
    "change-email": usualText(
      subject: "Confirm your new e-mail address for {project}",
      does: "Open this link to make {email} the address of your account at {project}:",
      otherwise: "If it was not you, ignore this message, and nothing changes."),
    "recover-email": usualText(
      subject: "Your e-mail address at {project} was changed",
      does:
        "The address of your account at {project} is no longer {email}. If you did not want that, open "
        + "this link to change it back:",
      otherwise: "If you wanted it, there is nothing to do."),
    "second-factor-added": usualText(
      subject: "A second step was added to your sign-in at {project}",
      does:
        "Your account {email} at {project} now asks for a second step when you sign in. If you did not "
        + "want that, open this link to remove it:",
      otherwise: "If you wanted it, there is nothing to do."),
  ]

  /// The text of a kind that has none of its own.
  static let fallback = usualText(
    subject: "A message from {project}",
    does: "Open this link to go on at {project} as {email}:",
    otherwise: "If you did not expect it, ignore this message.")

  private static func usualText(
    subject: String, does: String, otherwise: String
  ) -> MessageTemplate {
    MessageTemplate(
      unchecked: subject,
      plain: """
        Hello,

        \(does)

        {link}

        The link works once, until {expiresAt}. It was asked for from {requestedFrom}.

        \(otherwise)

        """)
  }
}
