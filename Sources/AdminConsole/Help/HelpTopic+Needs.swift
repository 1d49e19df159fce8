import SessionTokens

extension HelpTopic {
  /// The scopes that the function needs on a server.
  var need: ConsoleNeed? { Self.needs[name] }

  /// The forms and the description, and for a console on a server the scopes that are needed.
  func text(isOnServer: Bool) -> String {
    guard isOnServer, let need else { return text }
    return "\(text)\n      Needs \(need.scopes.map(\.rawValue).joined(separator: " and "))."
  }

  /// The scopes of each topic: those of the same operation in the administration over HTTP.
  static let needs: [String: ConsoleNeed] = [
    "accounts.get": .reads(.readAccounts),
    "accounts.find": .reads(.readAccounts),
    "accounts.search": .reads(.readAccounts),
    "accounts.each": .reads(.readAccounts),
    "accounts.count": .reads(.readAccounts),
    "accounts.create": .writes(.writeAccounts),
    "accounts.restore": .writes(.writeAccounts),
    "accounts.purge": .writes(.writeAccounts),
    "account": .reads(.readAccounts),
    "account.multiFactor": .reads(.readAccounts),
    "account:graph": .reads(.readAccounts),
    "account:history": .reads(.audit),
    "account:link": .writes(.writeAccounts),
    "account:unlink": .writes(.writeAccounts),
    "account:update": .writes(.writeAccounts),
    "account:disable": .writes(.writeAccounts),
    "account:enable": .writes(.writeAccounts),
    "account:delete": .writes(.writeAccounts),
    "account:restore": .writes(.writeAccounts),
    "account:revokeSessions": .writes(.writeAccounts),
    "multiFactor:enroll": .writes(.writeAccounts),
    "multiFactor:unenroll": .writes(.writeAccounts),
    "multiFactor:recover": .writes(.writeAccounts),
    "enrollment:qr": .writes(.writeAccounts),
    "enrollment:save": .writes(.writeAccounts),
    "enrollment:reveal": .writes(.writeAccounts),
    "enrollment:finish": .writes(.writeAccounts),
    "graph.tree": .reads(.readAccounts),
    "graph.dot": .reads(.readAccounts),
    "duplicates.find": .reads(.readAccounts),

    "providers.list": .reads(),
    "providers.credential": .reads(),
    "providers.configure": .writes(.config),
    "providers.forget": .writes(.config),
    "providers.rekey": .reads(.readAccounts),
    "providers.rekeys": .reads(.readAccounts),
    "rekey:commit": .writes(.writeAccounts),
    "rekey:rollback": .writes(.writeAccounts),
    "rekey:finish": .writes(.writeAccounts),

    "auth.signIn": .writes(.writeAccounts),
    "auth.signUp": .writes(.writeAccounts),
    "auth.sendCode": .writes(.writeAccounts),
    "auth.authorize": .writes(.writeAccounts),
    "auth.callback": .writes(.writeAccounts),
    "resolver.hints": .reads(.readAccounts),
    "resolver:challenge": .writes(.writeAccounts),
    "resolver:resolve": .writes(.writeAccounts),

    // Plug-ins belong to the server, and to no project.
    "plugins.list": .reads(.plugins, .server),
    "plugins.reload": .writes(.plugins, .server),
    "plugins.load": .writes(.plugins, .server),

    "account:split": .reads(.merge),
    "account:move": .reads(.merge),
    "transfer:commit": .writes(.merge),
    "accounts.undo": .writes(.merge),
    "merge.plan": .reads(.merge),
    "plan:commit": .writes(.merge),
    "merge.undo": .writes(.merge),
    "merge.list": .reads(.audit),
    "merge.offers": .reads(.audit),
    "merge.planOffer": .reads(.merge),
    "merge.planAll": .reads(.merge),
    "merge.load": .reads(.merge),
    "merge.batch": .reads(.merge),
    "merge.batches": .reads(.merge),
    "mergeList:save": .reads(.merge),
    "mergeList:plan": .reads(.merge),
    "mergeList:commit": .writes(.merge),
    "mergeBatch:commit": .writes(.merge),
    "mergeBatch:undo": .writes(.merge),

    // What is rehearsed needs the scopes of the functions that were called.
    "begin": .reads(),
    "rehearsal": .reads(),
    "commit": .writes(),
    "nevermind": .reads(),

    "policy.current": .reads(.config),
    "policy.test": .reads(.config),
    "policy.ask": .reads(.config, .readAccounts),
    "policy.debug": .reads(.config),
    "policy.prove": .reads(.config),
    "policy.compare": .reads(.config),
    "policy.use": .writes(.config),
    "policy.remove": .writes(.config),
    "hooks.current": .reads(.config),
    "hooks.use": .writes(.config),
    "hooks.remove": .writes(.config),
    "settings.get": .reads(.config),
    "settings.set": .writes(.config),
    "settings.trust": .writes(.config),
    "tenants.list": .reads(.config),

    "audit.tail": .reads(.audit),
    "audit.find": .reads(.audit),
    "audit.sessions": .reads(.audit),
    "audit.session": .reads(.audit),
    "why": .reads(.audit),
    "event": .reads(.audit),

    "secret": .reads(),
    "input.lines": .reads(),
    "exit": .reads(),
    "quit": .reads(),
    "help": .reads(),
    "tour": .reads(),
    "show": .reads(),
    "shown:csv": .reads(),
    "shown:json": .reads(),
    "set.expanded": .reads(),
    "set.pager": .reads(),
    "set.timing": .reads(),
    "set.zone": .reads(),
  ]
}
