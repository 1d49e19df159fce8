extension AccountGraph {
  /// Configures a provider in the caller's scope; settings that are not named keep their values.
  ///
  /// - Parameters:
  ///   - provider: a provider of the registry, or of a family such as `oidc.NAME`.
  ///   - values: settings by name; null removes one.
  ///   - secrets: secrets by name, stored sealed; an empty one removes the stored secret, and a ``SecretPlaceholder``
  ///     keeps it.
  ///   - caller: an admin.
  /// - Returns: the receipt; its event names the fields and no values.
  /// - Throws: `invalid-provider-id`, `invalid-argument` naming a field that is unknown, has another type, or is a
  ///   placeholder without a stored secret, or `operation-not-allowed`.
  public func configure(
    _ provider: ProviderID, values: [String: JSONValue], secrets: [String: Secret<String>] = [:],
    by caller: Caller
  ) async throws -> Receipt {
    let fields = try providers.provider(provider).manifest.configuration
    try Self.check(values, secrets, fields, of: provider)
    let scope = caller.scope
    let masks = secrets.keys.filter { SecretPlaceholder.stands(in: secrets[$0]?.reveal() ?? "") }
    let secrets = secrets.filter { !masks.contains($0.key) }
    let probe = secrets.isEmpty ? nil : try await keyProbe(in: scope)
    let sealed = try secrets.filter { !$0.value.reveal().isEmpty }.map { name, secret in
      (
        name,
        try services.secrets.seal(
          secret.reveal(), for: ProviderConfiguration.purpose(name, of: provider, in: scope))
      )
    }
    let change = { @Sendable (old: ProviderConfiguration?) in
      var configuration = old ?? ProviderConfiguration()
      for (name, value) in values { configuration.values[name] = value == .null ? nil : value }
      for name in secrets.keys { configuration.sealedSecrets[name] = nil }
      for (name, text) in sealed { configuration.sealedSecrets[name] = text }
      return configuration
    }
    if !masks.isEmpty {
      try requireAdmin(caller)
      try Self.keep(masks, of: provider, in: try await configuration(of: provider, in: scope))
    }
    if let checking = try providers.provider(provider) as? any SettingsChecking {
      let changed = change(try await configuration(of: provider, in: scope))
      try checking.check(opened(changed, of: provider, in: scope))
    }
    try requireAdmin(caller)
    var query = SnapshotQuery(in: scope)
    query.linkedWith = provider
    return try await perform(
      caller, load: query,
      decide: { snapshot, moment in
        var settings = snapshot.settings
        try Self.keep(masks, of: provider, in: settings.providers[provider.rawValue])
        var changed = change(settings.providers[provider.rawValue])
        try Self.keepSubjects(of: provider, changed, fields, snapshot)
        let others = settings.changedSubjects(of: provider, to: changed, fields)
        let old = settings.subjects[provider.rawValue]
        let isNew = settings.providers[provider.rawValue] == nil
        if !others.isEmpty {
          // No account is linked, and the trust in the name was meant for another issuer.
          settings.endTrust(in: provider)
          settings.subjects[provider.rawValue] = ProviderSubjects(
            values: old?.values ?? [:], since: moment.now)
        }
        if !others.isEmpty || (isNew && old != nil) { changed.setup = moment.eventID }
        settings.providers[provider.rawValue] = changed
        settings.keyProbe = settings.keyProbe ?? probe
        return Verdict(.configureProvider, settings, from: snapshot)
      }
    ).receipt
  }

  /// Removes a provider's configuration from the caller's scope, and ends the trust in it.
  ///
  /// Whatever was begun with the provider is void: pending credentials, sign-ins that wait for a second factor, and
  /// redirects that are under way. Linked identities stay. While any are linked, the provider's name can be configured
  /// again only for the same issuer or app.
  ///
  /// - Parameters:
  ///   - provider: a provider that is configured.
  ///   - force: true to remove it although accounts are linked with it.
  ///   - caller: an admin.
  /// - Returns: the receipt; its event has the number of linked accounts.
  /// - Throws: `invalid-provider-id` for a provider that is not configured, or `operation-not-allowed` with the number
  ///   of linked accounts.
  public func forgetConfiguration(
    of provider: ProviderID, force: Bool = false, by caller: Caller
  ) async throws -> Receipt {
    try requireAdmin(caller)
    let known = try await settings(of: caller.scope).providers.keys
    guard known.contains(provider.rawValue) else {
      throw AuthError(
        .invalidProviderID, "The provider \(provider) is not set up here.", field: "providerID",
        remedy: suggestion(for: provider.rawValue, among: known.sorted()))
    }
    let people = try await people(linkedWith: provider, in: caller.scope)
    guard force || people == 0 else {
      throw AuthError(
        .operationNotAllowed,
        "\(people) \(people == 1 ? "account is" : "accounts are") linked with \(provider).",
        field: "force",
        remedy:
          "Forget it with { force = true }: they stay linked, and the name stays bound to its "
          + "issuer.",
        step: .decision)
    }
    return try await perform(
      caller, load: SnapshotQuery(in: caller.scope),
      decide: { snapshot, _ in
        var settings = snapshot.settings
        if let old = settings.providers.removeValue(forKey: provider.rawValue) {
          settings.subjects[provider.rawValue] = ProviderSubjects(
            values: old.values, since: settings.subjects[provider.rawValue]?.since)
          settings.endTrust(in: provider)
        }
        var verdict = Verdict(.forgetProvider, settings, from: snapshot)
        verdict.details["accounts"] = .integer(Int64(people))
        return verdict
      }
    ).receipt
  }

  /// Returns the number of accounts that are linked with a provider.
  public func people(linkedWith provider: ProviderID, in scope: Scope) async throws -> Int {
    var filter = AccountFilter()
    filter.providerID = provider
    return try await accountCount(matching: filter, in: scope)
  }

  /// Refuses a configuration under which another issuer's subjects would sign in to the accounts of the present one.
  ///
  /// It checks in the transaction that changes the settings, so that no account is linked in between.
  private static func keepSubjects(
    of provider: ProviderID, _ changed: ProviderConfiguration, _ fields: [ConfigurationField],
    _ snapshot: Snapshot
  ) throws {
    let settings = snapshot.settings
    guard let field = settings.changedSubjects(of: provider, to: changed, fields).first else {
      return
    }
    let most = SnapshotQuery.mostCounted
    let people = snapshot.linkedAccounts
    guard people > 0 || settings.isRekeying(from: provider) else { return }
    let count =
      switch people {
      case 0: "a rekey is open"
      case 1: "1 account"
      case most: "\(most) accounts or more"
      default: "\(people) accounts"
      }
    throw AuthError.subjectsBound(field, of: provider, people: count)
  }

  /// Returns a sealed probe that proves later that the key is still the same.
  ///
  /// Throws if the key has changed, before anything is sealed with another one.
  func keyProbe(in scope: Scope) async throws -> String {
    let purpose = "probe \(scope)"
    if let probe = try await settings(of: scope).keyProbe {
      _ = try services.secrets.open(probe, for: purpose)
      return probe
    }
    return try services.secrets.seal("probe", for: purpose)
  }

  /// Returns a provider's configuration in a scope; secrets stay sealed.
  public func configuration(
    of provider: ProviderID, in scope: Scope
  ) async throws -> ProviderConfiguration? {
    try await settings(of: scope).providers[provider.rawValue]
  }

  /// Refuses placeholders for secrets that are not stored.
  private static func keep(
    _ masks: [String], of provider: ProviderID, in configuration: ProviderConfiguration?
  ) throws(AuthError) {
    let kept = configuration?.sealedSecrets ?? [:]
    guard let name = masks.sorted().first(where: { kept[$0] == nil }) else { return }
    throw AuthError(
      .invalidArgument,
      "\(name) of \(provider) is a mask, and no secret of it is stored.",
      field: name, remedy: "Give the secret itself, or leave \(name) out.")
  }

  private static func check(
    _ values: [String: JSONValue], _ secrets: [String: Secret<String>],
    _ fields: [ConfigurationField], of provider: ProviderID
  ) throws(AuthError) {
    let names = fields.map(\.name)
    guard !values.isEmpty || !secrets.isEmpty else {
      throw AuthError(
        .invalidArgument, "There is nothing to set.", field: "settings",
        remedy: names.isEmpty
          ? "\(provider) has no settings." : "It has \(names.joined(separator: ", ")).")
    }
    for name in (Array(values.keys) + Array(secrets.keys)).sorted() {
      guard let field = fields.first(where: { $0.name == name }) else {
        throw AuthError(
          .invalidArgument, "The provider \(provider) has no setting \"\(name)\".", field: name,
          remedy: suggestion(for: name, among: names))
      }
      guard (field.type == .secret) == (secrets[name] != nil) else {
        throw AuthError(
          .invalidArgument, "The setting \(name) of \(provider) is \(field.type.title).",
          field: name, remedy: "Write \(field.example).")
      }
      let isTakenAway = values[name] == .null || secrets[name]?.reveal().isEmpty == true
      guard !(isTakenAway && field.isRequired) else {
        throw AuthError(
          .invalidArgument, "\(provider) cannot be without \(name).", field: name,
          remedy: "Give another value.")
      }
      if let value = values[name], value != .null { try field.check(value, of: provider) }
      if let secret = secrets[name]?.reveal() {
        try TextBounds.setting.check(secret, "The setting \(name)", field: name)
        guard secret.isEmpty || !secret.allSatisfy(\.isWhitespace) else {
          throw AuthError(
            .invalidArgument, "\(name) of \(provider) is blank.", field: name,
            remedy: "Give the secret itself, or leave \(name) out.")
        }
        if SecretPlaceholder.isPart(of: secret) {
          try SecretPlaceholder.refuse(in: secret, field: name, title: "\(name) of \(provider)")
        }
      }
    }
  }
}

extension ConfigurationField {
  /// Checks a value's type, or throws `invalid-argument`.
  func check(_ value: JSONValue, of provider: ProviderID) throws(AuthError) {
    let fits =
      switch (type, value) {
      case (.text, .string), (.secret, .string), (.flag, .bool), (.number, .integer): true
      case (.url, .string(let text)): URLText.host(of: text) != nil
      case (.list, .array(let items)): items.allSatisfy { $0.stringValue?.isEmpty == false }
      case (.names, .object(let members)): members.values.allSatisfy { $0.stringValue != nil }
      case (.urls, .object(let members)):
        members.values.allSatisfy { $0.stringValue.flatMap(URLText.host) != nil }
      default: false
      }
    guard fits else {
      throw AuthError(
        .invalidArgument, "\(name) of \(provider) is \(type.title): \(summary).", field: name,
        remedy: "Write \(example).")
    }
    guard case .object(let members) = value, !names.isEmpty else { return }
    if let unknown = members.keys.sorted().first(where: { !names.contains($0) }) {
      throw AuthError(
        .invalidArgument, "\(name) of \(provider) has no \"\(unknown)\".", field: unknown,
        remedy: suggestion(for: unknown, among: names))
    }
  }

  /// An example of the field in Lua.
  var example: String {
    switch type {
    case .text, .secret: "\(name) = \"…\""
    case .url: "\(name) = \"https://…\""
    case .list: "\(name) = { \"…\" }"
    case .flag: "\(name) = true"
    case .number: "\(name) = 300"
    case .names: "\(name) = { \(names.first ?? "[\"…\"]") = \"…\" }"
    case .urls: "\(name) = { \(names.first ?? "[\"…\"]") = \"https://…\" }"
    }
  }
}

extension Verdict {
  /// Makes the change to new settings, with their differences for the audit.
  init(_ action: Action, _ settings: ProjectSettings, from snapshot: Snapshot) {
    self.init(action: action)
    changes.settings = settings
    details = settings.differences(from: snapshot.settings)
  }
}
