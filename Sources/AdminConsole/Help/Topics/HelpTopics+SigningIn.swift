extension HelpTopic {
  /// Signing in as a client does.
  static let signingIn: [HelpTopic] = [
    HelpTopic(
      "auth.signIn", takes: "credential, options", ["auth.signIn(credential)"],
      "Signs in as a client does. Returns { account = …, isNewUser = …, receipt = …, trace = … }, or\n"
        + "a resolver if the account has a second factor."),
    HelpTopic(
      "resolver.hints", ["resolver.hints"],
      "The second factors that can complete the sign-in. Phone numbers are masked."),
    HelpTopic(
      "resolver:challenge", takes: "hint, options", ["resolver:challenge(1)"],
      "Chooses a hint by its position or uid. A phone gets its code."),
    HelpTopic(
      "resolver:resolve", takes: "code, options", ["resolver:resolve(\"123456\")"],
      "Completes the sign-in with the code of the chosen factor."),
    HelpTopic(
      "auth.sendCode", takes: "providerID, recipient, options",
      ["sent = auth.sendCode(\"phone\", \"+15555550123\")", "sent.verificationID"],
      "Sends a code (\"phone\") or a link (\"emailLink\"). With { account = … } it can only be linked to\n"
        + "that account."),
    HelpTopic(
      "auth.authorize", takes: "providerID, request, options",
      ["auth.authorize(\"google.com\", { redirectURI = \"https://app.example/callback\" })"],
      "Returns the address at which a browser signs in at the vendor, with state, nonce and PKCE."),
    HelpTopic(
      "auth.callback", takes: "providerID, url, options",
      ["auth.callback(\"google.com\", \"https://app.example/callback?code=…\")"],
      "Returns the credential of the address to which the browser came back. It works only in the\n"
        + "session that began the sign-in, within 15 minutes."),
    HelpTopic(
      "auth.signUp", takes: "credential, options", ["auth.signUp(credential)"],
      "Creates an account from a credential with an e-mail address and a new password."),
  ]
}
