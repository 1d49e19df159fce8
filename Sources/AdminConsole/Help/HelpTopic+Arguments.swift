import AuthCore
import LuaPlugins
import TerminalOutput

extension HelpTopic {
  /// An argument of a function, as Tab completes it.
  indirect enum Argument {
    /// The path of a file with one of these endings; any file without endings.
    case file([String])
    /// The ID of a provider.
    case provider
    /// The ID of a provider with which the account is linked.
    case linkedProvider
    /// One of a few texts.
    case choice([String])
    /// A table with these names; some of their values can be completed, too.
    case table([String], [String: Argument] = [:])
    /// Anything else.
    case any
  }

  /// The arguments of this function, in the order of its ``parameters``.
  var arguments: [Argument] {
    let own = Self.completed[name] ?? [:]
    return parameters.map { own[$0] ?? Self.usual[$0] ?? .any }
  }

  /// The arguments that are the same for most functions that have one of this name.
  private static let usual: [String: Argument] = [
    "options": .table(WriteOptions.names), "providerID": .provider, "file": .file([".lua"]),
  ]

  /// The arguments with values of their own, by the names of the function and of the argument.
  ///
  /// A test compares the names of tables with those that the functions accept.
  static let completed: [String: [String: Argument]] = {
    let conditions: [String: Argument] = ["providerID": .provider, "providers": .provider]
    let forced = Argument.table(WriteOptions.namesWithForce)
    let map: [String: Argument] = ["map": .file([".csv", ".json"])]
    let fields = Argument.table(
      MergeField.allCases.map(\.rawValue),
      Dictionary(
        uniqueKeysWithValues: MergeField.allCases.map {
          ($0.rawValue, .choice(FieldRule.names))
        }))
    let duplicateKey = Argument.choice(DuplicateKey.allCases.map(\.rawValue))
    let switching = Argument.choice(["on", "off"])
    return [
      "accounts.search": ["options": .table(["limit"])],
      "accounts.find": [
        "filter": .table(
          AccountFilter.names + ["order", "limit", "after"],
          conditions.merging(["order": .choice(AccountFilter.Order.allCases.map(\.rawValue))]) {
            $1
          })
      ],
      "accounts.each": ["filter": .table(AccountFilter.names + ["limit"], conditions)],
      "accounts.count": ["filter": .table(AccountFilter.names, conditions)],
      "accounts.create": [
        "fields": .table(AccountChanges.names + ["uid"] + WriteOptions.names)
      ],
      "account:endWaysIn": ["options": forced],
      "account:update": [
        "changes": .table(AccountChanges.names + WriteOptions.namesWithForce), "options": forced,
      ],
      "account:link": [
        "identity": .table(
          AccountObject.assertionFields + WriteOptions.names, ["providerID": .provider])
      ],
      "account:unlink": [
        "providerID": .linkedProvider,
        "options": .table(WriteOptions.namesWithForce + ["subject"]),
      ],
      "account:split": [
        "split": .table(
          TransferLibrary.splitNames,
          [
            "fields": .table(
              SplitField.allCases.map(\.rawValue),
              Dictionary(
                uniqueKeysWithValues: SplitField.allCases.map {
                  ($0.rawValue, .choice($0.choices.map(\.rawValue)))
                }))
          ])
      ],
      "account:move": ["identity": .linkedProvider],
      "transfer:commit": ["options": forced],
      "accounts.undo": ["options": .table(WriteOptions.namesWithForce + ["revive"])],
      "account:delete": ["options": .table(WriteOptions.namesOfDeletion)],
      "account:restore": ["options": forced], "accounts.restore": ["options": forced],
      "multiFactor:enroll": ["factor": .table(["phoneNumber"] + WriteOptions.names)],
      "enrollment:save": ["path": .file([])],
      "enrollment:finish": ["options": .table(["displayName"] + WriteOptions.names)],
      // The names of the settings are the provider's, see ConsoleCompletion.
      "providers.configure": ["settings": .table(WriteOptions.names)],
      "providers.forget": ["options": forced],
      "hooks.use": ["options": forced],
      "providers.rekey": ["options": .table(["from", "to", "map", "window"], map)],
      "rekey:commit": ["options": .table(WriteOptions.names + ["batch", "map"], map)],
      "rekey:rollback": ["options": .table(WriteOptions.names + ["batch"])],
      "rekey:finish": ["options": .table(WriteOptions.namesWithForce + ["batch"])],
      "auth.sendCode": [
        "providerID": .choice(["phone", "emailLink"]),
        "options": .table(["account", "continueURL"] + WriteOptions.names),
      ],
      "auth.authorize": ["request": .table(["redirectURI", "scopes"] + WriteOptions.names)],
      "merge.plan": ["options": .table(["fields", "dropIdentities"], ["fields": fields])],
      "commit": ["options": .table(["reason"])],
      "merge.undo": ["options": .table(WriteOptions.namesWithForce + ["revive", "keep"])],
      "merge.list": ["filter": .table(["account", "batch", "limit"])],
      "merge.offers": ["options": .table(["limit"])],
      "merge.planAll": [
        "options": .table(
          MergeBatchLibrary.planNames,
          ["by": duplicateKey, "policy": .file([".lua"]), "fields": fields])
      ],
      "merge.load": ["file": .file([".csv", ".json"]), "options": .table(["replan"])],
      "merge.batches": ["options": .table(["limit"])],
      "mergeList:save": ["file": .file([".csv", ".json"]), "options": .table(["overwrite"])],
      "mergeList:commit": ["options": .table(WriteOptions.names + ["limit"])],
      "mergeBatch:commit": ["options": .table(WriteOptions.names + ["limit", "replan"])],
      "mergeBatch:undo": ["options": .table(WriteOptions.namesWithForce + ["keep"])],
      "duplicates.find": ["filter": .table(["by", "limit"], ["by": duplicateKey])],
      "policy.use": [
        "options": .table(
          WriteOptions.namesWithForce + PolicyLibrary.useNames,
          ["level": .choice(PolicyLevel.allCases.map(\.rawValue))])
      ],
      "policy.history": ["options": .table(["limit", "before"])],
      "policy.remove": ["options": .table(WriteOptions.names + ["trial"])],
      "policy.ask": ["file": .file([".lua"]), "options": .table(PolicyLibrary.askingOptions)],
      "policy.debug": ["options": .table(PolicyLibrary.debugNames)],
      "policy.compare": ["first": .file([".lua"]), "second": .file([".lua"])],
      "policy.replay": ["options": .table(PolicyLibrary.replayOptions)],
      "policy.decisions": ["filter": .table(PolicyLibrary.replayOptions)],
      "audit.find": [
        "filter": .table(
          AuditLibrary.conditions, ["action": .choice(Action.allCases.map(\.rawValue))])
      ],
      "settings.set": ["settings": .table(SettingText.changeable.map(\.name) + WriteOptions.names)],
      "settings.trust": ["trust": .choice(["always", "never"])],
      "shown:csv": ["file": .file([".csv"]), "options": .table(["overwrite", "exact"])],
      "shown:json": ["file": .file([".json"]), "options": .table(["overwrite"])],
      "set.expanded": ["value": .choice(TerminalProfile.RecordLayout.allCases.map(\.rawValue))],
      "set.timing": ["value": switching], "set.pager": ["value": switching],
      "help": ["topic": .choice(["all"] + (HelpTopic.all + HelpTopic.surroundings).map(\.name))],
      "tour": ["step": .choice(["next", "stop"])],
    ]
  }()
}
