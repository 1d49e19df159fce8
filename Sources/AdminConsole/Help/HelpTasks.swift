/// A task of an admin, in the words of a person, with the functions that do it.
struct HelpTask {
  let sentence: String
  let names: [String]

  private init(_ sentence: String, _ names: String...) {
    self.sentence = sentence
    self.names = names
  }

  /// The tasks in the overview, most frequent first.
  static let all = [
    HelpTask("Find an account.", "accounts.search", "accounts.get", "accounts.find"),
    HelpTask("See what happened to it.", "account:history", "account:graph"),
    HelpTask("Change, disable or delete it.", "account:update", "account:disable"),
    HelpTask(
      "Link, unlink or split identities.", "account:link", "account:unlink", "account:split"),
    HelpTask("End sessions and other ways in.", "account:revokeSessions", "account:endWaysIn"),
    HelpTask("Help with a lost second factor.", "multiFactor:recover"),
    HelpTask("Find people with two accounts.", "duplicates.find"),
    HelpTask("Merge two accounts, and undo it.", "merge.plan", "plan:commit", "merge.undo"),
    HelpTask("Rehearse several changes.", "begin", "rehearsal", "commit", "nevermind"),
    HelpTask("See why something was refused.", "why", "audit.find"),
    HelpTask("Let your code decide.", "policy.test", "policy.use", "hooks.use"),
    HelpTask("Set up a provider.", "providers.list", "providers.configure"),
    HelpTask("Try a sign-in.", "providers.credential", "auth.signIn"),
    HelpTask("Move identities to new keys.", "providers.rekey", "rekey:commit"),
    HelpTask("Change rules of the project.", "settings.get", "settings.set", "settings.trust"),
    HelpTask("Load and replace plug-ins.", "plugins.list", "plugins.reload"),
    HelpTask("See the tenants of the project.", "tenants.list"),
    HelpTask("Write scripts, and CSV files.", "accounts.each", "input.lines", "show"),
  ]
}
