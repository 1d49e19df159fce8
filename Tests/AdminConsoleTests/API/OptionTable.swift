@testable import AdminConsole

/// A table argument of a function of the admin API.
struct OptionTable: CustomStringConvertible {
  enum Kind {
    /// Selects objects: without a condition it would select all.
    case filter
    /// Describes a change: without a field it would change nothing.
    case change
    /// Holds options, and may be absent.
    case options
  }

  /// The function's name in the help.
  let function: String
  /// A call with `OPT` in place of the table.
  let call: String
  let kind: Kind
  let names: [String]

  init(_ function: String, _ call: String, _ kind: Kind, names: [String]) {
    self.function = function
    self.call = call
    self.kind = kind
    self.names = names
  }

  var description: String { call }

  func code(_ table: String) -> String { call.replacing("OPT", with: table) }

  static let writing = ["reason", "dryRun"]
  private static let forced = writing + ["force"]
  private static let profile = [
    "email", "emailVerified", "displayName", "photoURL", "phoneNumber", "disabled", "customClaims",
    "password",
  ]
  private static let conditions = [
    "email", "phoneNumber", "providerID", "subject", "displayName", "disabled", "providers",
    "verified", "anonymous", "claims", "createdSince", "createdBefore", "seenSince", "notSeenSince",
  ]
  private static let google = "'google.com'"

  /// The tables of all functions.
  static let all: [OptionTable] = [
    OptionTable("accounts.search", "accounts.search('haas', OPT)", .options, names: ["limit"]),
    OptionTable(
      "accounts.find", "accounts.find(OPT)", .filter,
      names: conditions + ["order", "limit", "after"]),
    OptionTable("accounts.each", "accounts.each(OPT)", .filter, names: conditions + ["limit"]),
    OptionTable("accounts.count", "accounts.count(OPT)", .filter, names: conditions),
    OptionTable(
      "audit.find", "audit.find(OPT)", .filter,
      names: [
        "actor", "action", "account", "code", "since", "before", "request", "limit",
      ]),
    OptionTable(
      "policy.decisions", "policy.decisions(OPT)", .filter, names: ["since", "limit"]),
    OptionTable("merge.list", "merge.list(OPT)", .filter, names: ["account", "batch", "limit"]),
    OptionTable(
      "merge.planAll", "merge.planAll(OPT)", .filter,
      names: ["by", "policy", "fields", "dropIdentities", "limit", "after"]),
    OptionTable("duplicates.find", "duplicates.find(OPT)", .filter, names: ["by", "limit"]),
    OptionTable(
      "accounts.create", "accounts.create(OPT)", .change, names: profile + writing + ["uid"]),
    OptionTable(
      "accounts.create", "accounts.create({ uid = 'new' }, OPT)", .options, names: writing),
    OptionTable("account:update", "a:update(OPT)", .change, names: profile + forced),
    OptionTable("account:update", "a:update({ displayName = 'x' }, OPT)", .options, names: forced),
    OptionTable(
      "account:link", "a:link(OPT)", .change,
      names: [
        "providerID", "subject", "issuer", "email", "displayName", "photoURL", "phoneNumber",
      ] + writing),
    OptionTable("account:link", "a:link(credential, OPT)", .options, names: writing),
    OptionTable(
      "account:unlink", "a:unlink('github.com', OPT)", .options, names: forced + ["subject"]),
    OptionTable("account:split", "a:split(OPT)", .change, names: ["identities", "fields", "uid"]),
    OptionTable("transfer:commit", "transfer:commit(OPT)", .options, names: forced),
    OptionTable(
      "accounts.undo", "accounts.undo('none', OPT)", .options, names: forced + ["revive"]),
    OptionTable("account:disable", "a:disable(OPT)", .options, names: writing),
    OptionTable("account:enable", "a:enable(OPT)", .options, names: writing),
    OptionTable("account:delete", "a:delete(OPT)", .options, names: writing + ["forever"]),
    OptionTable("account:restore", "a:restore(OPT)", .options, names: forced),
    OptionTable("accounts.restore", "accounts.restore('gone', OPT)", .options, names: forced),
    OptionTable("accounts.purge", "accounts.purge('gone', OPT)", .options, names: writing),
    OptionTable(
      "account:endWaysIn", "a:endWaysIn({ 'github.com' }, OPT)", .options, names: forced),
    OptionTable("account:revokeSessions", "a:revokeSessions(OPT)", .options, names: writing),
    OptionTable(
      "multiFactor:enroll", "a.multiFactor:enroll(OPT)", .change, names: ["phoneNumber"] + writing),
    OptionTable(
      "multiFactor:enroll", "a.multiFactor:enroll('totp', OPT)", .options, names: writing),
    OptionTable(
      "multiFactor:unenroll", "a.multiFactor:unenroll('x', OPT)", .options, names: writing),
    OptionTable("multiFactor:recover", "a.multiFactor:recover(OPT)", .options, names: writing),
    OptionTable(
      "enrollment:finish", "open:finish('123456', OPT)", .options, names: ["displayName"] + writing),
    OptionTable("resolver:challenge", "resolver:challenge(1, OPT)", .options, names: writing),
    OptionTable("resolver:resolve", "resolver:resolve('123456', OPT)", .options, names: writing),
    OptionTable(
      "providers.configure", "providers.configure(\(google), OPT)", .change,
      names: ["clientIDs", "clientSecret", "hostedDomains", "events", "privateHosts", "endpoints"]
        + writing),
    OptionTable(
      "providers.configure", "providers.configure(\(google), { clientIDs = { 'x' } }, OPT)",
      .options, names: writing),
    OptionTable("providers.forget", "providers.forget(\(google), OPT)", .options, names: forced),
    OptionTable(
      "providers.credential", "providers.password.credential(OPT)", .change,
      names: ["email", "password"]),
    OptionTable(
      "providers.rekey", "providers['github.com'].rekey(OPT)", .change,
      names: ["from", "to", "map", "window"]),
    OptionTable("rekey:commit", "rekey:commit(OPT)", .options, names: writing + ["batch", "map"]),
    OptionTable("rekey:rollback", "rekey:rollback(OPT)", .options, names: writing + ["batch"]),
    OptionTable("rekey:finish", "rekey:finish(OPT)", .options, names: forced + ["batch"]),
    OptionTable("auth.signIn", "auth.signIn(credential, OPT)", .options, names: writing),
    OptionTable("auth.signUp", "auth.signUp(credential, OPT)", .options, names: writing),
    OptionTable(
      "auth.sendCode", "auth.sendCode('phone', '+15555550123', OPT)", .options,
      names: ["account", "continueURL"] + writing),
    OptionTable(
      "auth.authorize", "auth.authorize(\(google), OPT)", .change,
      names: ["redirectURI", "scopes"] + writing),
    OptionTable(
      "auth.callback", "auth.callback(\(google), 'https://x.example/?code=1', OPT)", .options,
      names: writing),
    OptionTable(
      "merge.plan", "merge.plan(a, b, OPT)", .options, names: ["fields", "dropIdentities"]),
    OptionTable("commit", "commit(OPT)", .options, names: ["reason"]),
    OptionTable("plan:commit", "plan:commit(OPT)", .options, names: writing),
    OptionTable(
      "merge.undo", "merge.undo('none', OPT)", .options, names: forced + ["revive", "keep"]),
    OptionTable("merge.load", "merge.load('none.csv', OPT)", .options, names: ["replan"]),
    OptionTable("merge.batches", "merge.batches(OPT)", .options, names: ["limit"]),
    OptionTable("mergeList:save", "list:save('list.csv', OPT)", .options, names: ["overwrite"]),
    OptionTable("mergeList:commit", "list:commit(OPT)", .options, names: writing + ["limit"]),
    OptionTable(
      "mergeBatch:commit", "batch:commit(OPT)", .options, names: writing + ["limit", "replan"]),
    OptionTable("mergeBatch:undo", "batch:undo(OPT)", .options, names: forced + ["keep"]),
    OptionTable("merge.offers", "merge.offers(OPT)", .options, names: ["limit"]),
    OptionTable(
      "policy.use", "policy.use(policyFile, OPT)", .options, names: forced + ["level", "canary"]),
    OptionTable("policy.history", "policy.history(OPT)", .options, names: ["limit", "before"]),
    OptionTable("policy.rollback", "policy.rollback(1, OPT)", .options, names: writing),
    OptionTable("policy.promote", "policy.promote(OPT)", .options, names: writing),
    OptionTable(
      "policy.ask", "policy.ask(policyFile, a, b, OPT)", .options,
      names: ["code", "provider", "proof", "now", "operation", "credential", "session"]),
    OptionTable(
      "policy.replay", "policy.replay(policyFile, OPT)", .options, names: ["since", "limit"]),
    OptionTable("policy.remove", "policy.remove(OPT)", .options, names: writing + ["trial"]),
    OptionTable("hooks.use", "hooks.use(hooksFile, OPT)", .options, names: forced),
    OptionTable("hooks.remove", "hooks.remove(OPT)", .options, names: writing),
    OptionTable(
      "settings.set", "settings.set(OPT)", .change,
      names: [
        "oneAccountPerEmail", "identitiesPerProvider", "recentLoginSeconds",
        "allowsUnlinkingLastMethod", "totpDriftSteps", "mergeRetentionDays", "profileOnSignIn",
        "deletionRetentionDays", "eventRetentionDays", "decisionRetentionDays",
        "sessionRetentionDays", "signIn", "console",
      ] + writing),
    OptionTable("policy.debug", "policy.debug(policyFile, {}, OPT)", .options, names: ["commands"]),
    OptionTable("shown:csv", "show({}):csv(nil, OPT)", .options, names: ["overwrite", "exact"]),
    OptionTable("shown:json", "show({}):json(nil, OPT)", .options, names: ["overwrite"]),
    OptionTable(
      "settings.trust", "settings.trust('github.com', 'never', OPT)", .options, names: writing),
  ]

  /// The functions without a table argument, and values that the help describes.
  static let without: Set<String> = [
    "accounts.get", "account", "account.multiFactor", "account:history", "account:waysIn",
    "account:graph", "account:move", "graph.tree", "graph.dot", "enrollment:save",
    "enrollment:reveal",
    "enrollment:qr",
    "providers.list", "providers.rekeys", "resolver.hints", "plugins.list", "plugins.load",
    "plugins.reload", "merge.planOffer", "merge.batch", "mergeList:plan", "policy.current",
    "policy.test", "policy.prove", "policy.compare", "policy.example", "policy.version",
    "policy.diff", "hooks.current", "hooks.test",
    "audit.tail", "audit.sessions", "audit.session", "begin", "rehearsal", "nevermind", "event",
    "why", "settings.get", "help", "tour", "tenants.list", "secret", "exit",
    "input.lines", "show", "set.expanded", "set.pager", "set.timing", "set.zone",
  ]
}
