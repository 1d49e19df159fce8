extension ProjectSettings: SettingRecord {
  package static var blank: ProjectSettings { ProjectSettings() }
  package static let fields = FieldList(settings.compactMap(\.field))

  package static let settings: [Setting<ProjectSettings>] = [
    .flag(
      "oneAccountPerEmail", \.oneAccountPerEmail, "An address belongs to at most one account."),
    .choice(
      "identitiesPerProvider", \.identitiesPerProvider,
      "The number of identities of one provider that an account can link."),
    .number(
      "recentLoginSeconds", \.recentLoginSeconds, in: 1...100_000_000, of: "seconds",
      "The maximum age of a session for sensitive changes."),
    .number(
      "totpDriftSteps", \.totpDriftSteps, in: driftSteps, of: "steps",
      "The accepted clock drift of authenticator apps, in steps of 30 seconds."),
    .flag(
      "allowsUnlinkingLastMethod", \.allowsUnlinkingLastMethod,
      "A person may unlink the last way to sign in."),
    .choice(
      "profileOnSignIn", \.profileOnSignIn,
      "The use of a vendor's profile when a person signs in again."),
    .number(
      "mergeRetentionDays", \.mergeRetentionDays, in: 0...3650, of: "days",
      "The time for which an ended merge stays in the journal."),
    .number(
      "deletionRetentionDays", \.deletionRetentionDays, in: 0...3650, of: "days", zero: "for none",
      "The time in which an account that an admin deleted can be restored."),
    .number(
      "eventRetentionDays", \.eventRetentionDays, in: 0...36_500, of: "days", zero: "for ever",
      least: Int64(leastEventRetentionDays), "The time for which an event stays in the audit log."),
    .number(
      "decisionRetentionDays", \.decisionRetentionDays, in: 0...3650, of: "days", zero: "for none",
      "The time for which the log keeps a conflict that a policy decided."),
    .number(
      "sessionRetentionDays", \.sessionRetentionDays, in: 0...36_500, of: "days", zero: "for ever",
      "The time after which an unused session ends."),
    .table("signIn", \.signIn, "The ways to sign in and their rules."),
    .table("console", \.console, "The consoles of admins."),
    .special(
      Field(later: "trust", encoding: \.trust), \.trust,
      as: .elsewhere(use: "settings.trust(\"github.com\", \"never\")"),
      "The trust in verified addresses, by provider.", shown: \.shown,
      differences: TrustPolicy.changes,
      texts: \.boundedTexts, count: \.extents.count),
    .special(
      Field("mergePolicy", \.mergePolicy), \.mergePolicy,
      as: .elsewhere(use: "policy.use \"FILE\""), "The merge policy that resolves conflicts.",
      shown: { .string($0?.name ?? "none") },
      differences: { old, new in
        guard old != new else { return [:] }
        return ["mergePolicy": ["from": .optional(old?.name), "to": .optional(new?.name)]]
      },
      texts: { $0?.boundedTexts("policy") ?? [] }),
    .special(
      Field("policyLevel", \.policyLevel), \.policyLevel,
      as: .elsewhere(use: "policy.use(\"FILE\", { level = \"advise\" })"),
      "The effect of the merge policy's answers.",
      shown: { .string(($0 ?? .decide).rawValue) },
      differences: { old, new in
        SettingChange.named(
          "policyLevel", from: (old ?? .decide).rawValue, to: (new ?? .decide).rawValue)
      }),
    .special(
      Field("policyTrial", \.policyTrial), \.policyTrial,
      as: .elsewhere(use: "policy.use(\"FILE\", { level = \"shadow\" })"),
      "The merge policy on trial beside the one in use.",
      shown: { .string($0?.summary ?? "none") },
      differences: { old, new in
        SettingChange.named("policyTrial", from: old?.summary, to: new?.summary)
      },
      texts: { $0?.source.boundedTexts("policy") ?? [] }
    ).notInherited,
    .special(
      Field("policyVersions", \.policyVersions), \.policyVersions, as: .kept
    ).notInherited,
    .special(
      Field(later: "providers", encoding: \.providers), \.providers,
      as: .elsewhere(use: "providers.configure(ID, { … })"), "The settings of the providers.",
      shown: { .array($0.keys.sorted().map(JSONValue.string)) },
      differences: ProviderConfiguration.changes, texts: ProviderConfiguration.boundedTexts,
      count: \.count
    ).notInherited,
    // Parameters may contain the key that signs hashes, so only their names are shown.
    .special(
      Field(later: "passwordHashParameters", encoding: \.passwordHashParameters),
      \.passwordHashParameters,
      as: .elsewhere(use: "authgraph import"),
      "The parameters of imported password hashes, by name.",
      shown: { .array($0.keys.sorted().map(JSONValue.string)) },
      differences: { old, new in
        let added = Set(new.keys).subtracting(old.keys).sorted()
        return added.isEmpty
          ? [:] : ["passwordHashParameters": .array(added.map(JSONValue.string))]
      },
      texts: { parameters in
        parameters.flatMap { id, text in
          [
            BoundedText(text: id, bounds: .name, title: "The ID of hash parameters", field: hashes),
            BoundedText(text: text, bounds: .setting, title: "Hash parameters", field: hashes),
          ]
        }
      }, count: \.count
    ).notInherited,
    .special(Field(later: "subjects", encoding: \.subjects), \.subjects, as: .kept).notInherited,
    .special(
      Field("keptMembers", \.keptMembers), \.keptMembers,
      as: .elsewhere(use: "PATCH v2/projects/PROJECT/config"),
      "The members of Firebase's configuration without a setting of their own, by name.",
      shown: { $0.map { .array(KeptMembers($0).names.map(JSONValue.string)) } },
      differences: { KeptMembers.differences(from: $0, to: $1) },
      texts: KeptMembers.boundedTexts
    ).notInherited,
    .special(Field("keyProbe", \.keyProbe), \.keyProbe, as: .kept).notInherited,
    .special(Field(later: "rekeys", encoding: \.rekeys), \.rekeys, as: .kept).notInherited,
  ]

  private static let hashes = "passwordHashParameters"

  /// The accepted values of the drift of authenticator apps, in time steps before and after the present one.
  package static let driftSteps: ClosedRange<Int64> = 0...10

  /// The settings as an admin sees them.
  package var shown: JSONValue { .object(Self.settings.values(in: self)) }

  /// Returns the differences from other settings, each with its old and new value; a policy by its name.
  func differences(from old: ProjectSettings) -> [String: JSONValue] {
    Self.settings.differences(from: old, to: self)
  }

  /// The settings that a new tenant inherits: all except the providers, whose secrets are sealed for the project.
  var inheritedByTenants: ProjectSettings {
    var settings = ProjectSettings()
    for setting in Self.settings.flatMap(\.leaves) where setting.isInherited {
      setting.copy(from: self, to: &settings)
    }
    return settings
  }

  /// Throws `invalid-argument` for settings that are valid alone but not together.
  package func checkTogether() throws(AuthError) {
    let policy = signIn.passwordPolicy
    guard policy.maximumLength < policy.minimumLength else { return }
    throw AuthError(
      .invalidArgument,
      "A password has at least \(policy.minimumLength) and at most \(policy.maximumLength) characters.",
      field: "signIn.passwordPolicy.maximumLength",
      remedy: "Give a maximumLength that is no less than minimumLength.")
  }
}

extension PolicySource: FieldRecord {
  package static var blank: PolicySource { PolicySource(name: "", text: "") }
  package static let fields: FieldList<PolicySource> = [
    Field("name", \.name), Field("text", \.text),
  ]

  /// Returns the bounded texts of a policy or a script.
  func boundedTexts(_ what: String) -> [BoundedText] {
    [
      BoundedText(text: name, bounds: .scriptName, title: "The name of a \(what)", field: "name"),
      BoundedText(text: text, bounds: .script, title: "The text of a \(what)", field: "text"),
    ]
  }

  /// The name and the length of the text; the length distinguishes most versions of a file.
  var summary: String { "\(name) (\(text.utf8.count) bytes)" }
}

extension TrustPolicy {
  fileprivate var shown: JSONValue {
    .object(
      extents.mapValues { extent in
        switch extent {
        case .always: "always"
        case .never: "never"
        case .domains(let domains): .array(domains.map(JSONValue.string))
        }
      })
  }

  fileprivate static func changes(_ old: TrustPolicy, _ new: TrustPolicy) -> [String: JSONValue] {
    Set(new.extents.keys).union(old.extents.keys).reduce(into: [:]) { changes, provider in
      let id = ProviderID(provider)
      let change = SettingChange.named(
        "trust \(id)", from: old[id].description, to: new[id].description)
      changes.merge(change) { first, _ in first }
    }
  }

  fileprivate var boundedTexts: [BoundedText] {
    extents.flatMap { provider, extent in
      let id = BoundedText(
        text: provider, bounds: .providerID, title: "A provider's ID", field: "trust")
      guard case .domains(let domains) = extent else { return [id] }
      return [id]
        + domains.map { BoundedText(text: $0, bounds: .domain, title: "A domain", field: "trust") }
    }
  }
}

extension ProviderConfiguration {
  fileprivate static func changes(
    _ old: [String: ProviderConfiguration], _ new: [String: ProviderConfiguration]
  ) -> [String: JSONValue] {
    Set(new.keys).union(old.keys).reduce(into: [:]) { changes, id in
      guard new[id] != old[id] else { return }
      changes["provider \(id)"] = .array(
        changedFields(from: old[id], to: new[id]).map(JSONValue.string))
    }
  }

  fileprivate static func boundedTexts(
    _ configurations: [String: ProviderConfiguration]
  ) -> [BoundedText] {
    configurations.flatMap { id, configuration in
      var texts = [
        BoundedText(text: id, bounds: .providerID, title: "A provider's ID", field: "providerID")
      ]
      for (name, value) in configuration.values {
        let title = "The setting \(TextBounds.name.cut(name))"
        value.eachText {
          texts.append(BoundedText(text: $0, bounds: .setting, title: title, field: name))
        }
      }
      return texts
        + configuration.sealedSecrets.map { name, sealed in
          BoundedText(
            text: sealed, bounds: .sealedSetting, title: "The setting \(name)", field: name)
        }
    }
  }
}
