extension AccountGraph {
  /// Sets a provider up in the caller's scope; what is not named stays as it was.
  ///
  /// - Parameters:
  ///   - provider: one of the registry, or of a family such as `oidc.NAME`.
  ///   - values: settings by name; null takes one away.
  ///   - secrets: secrets by name, kept sealed; an empty one is taken away.
  ///   - caller: an admin.
  /// - Returns: the receipt; its event names the fields and no values.
  /// - Throws: `invalid-provider-id`, `invalid-argument` naming the field that is unknown or of another type,
  ///   or `operation-not-allowed`.
  public func configure(
    _ provider: ProviderID, values: [String: JSONValue], secrets: [String: Secret<String>] = [:],
    by caller: Caller
  ) async throws -> Receipt {
    let fields = try providers.provider(provider).manifest.configuration
    try Self.check(values, secrets, fields, of: provider)
    let scope = caller.scope
    for field in fields where field.namesSubjects {
      try await keepSubjects(field, values[field.name], of: provider, in: scope)
    }
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
    if let checking = try providers.provider(provider) as? any SettingsChecking {
      let changed = change(try await configuration(of: provider, in: scope))
      try checking.check(opened(changed, of: provider, in: scope))
    }
    return try await changeSettings(.configureProvider, by: caller) { settings in
      settings.providers[provider.rawValue] = change(settings.providers[provider.rawValue])
      settings.keyProbe = settings.keyProbe ?? probe
    }
  }

  /// Forgets how a provider was set up in the caller's scope.
  ///
  /// Throws `invalid-provider-id` where it was not set up.
  public func forgetConfiguration(
    of provider: ProviderID, by caller: Caller
  ) async throws -> Receipt {
    let known = try await settings(of: caller.scope).providers.keys
    guard known.contains(provider.rawValue) else {
      throw AuthError(
        .invalidProviderID, "The provider \(provider) is not set up here.", field: "providerID",
        remedy: suggestion(for: provider.rawValue, among: known.sorted()))
    }
    return try await changeSettings(.forgetProvider, by: caller) { settings in
      settings.providers[provider.rawValue] = nil
    }
  }

  /// Refuses to have another issuer's subjects mean the people of the present one.
  private func keepSubjects(
    _ field: ConfigurationField, _ value: JSONValue?, of provider: ProviderID, in scope: Scope
  ) async throws {
    let old = try await configuration(of: provider, in: scope)?.values[field.name] ?? field.fallback
    guard let value, let old else { return }
    guard (value == .null ? field.fallback : value) != old else { return }
    var filter = AccountFilter()
    filter.providerID = provider
    let accounts = try await accounts(matching: filter, limit: 1, in: scope)
    guard accounts.isEmpty else {
      throw AuthError(
        .operationNotAllowed,
        "There are identities of \(provider), and \(field.name) says whose subjects they are.",
        field: field.name, remedy: "Set the other one up under a name of its own.")
    }
  }

  /// What shows later that the key is still the same; throws where it is not, before anything is sealed with
  /// another one.
  func keyProbe(in scope: Scope) async throws -> String {
    let purpose = "probe \(scope)"
    if let probe = try await settings(of: scope).keyProbe {
      _ = try services.secrets.open(probe, for: purpose)
      return probe
    }
    return try services.secrets.seal("probe", for: purpose)
  }

  /// How a provider is set up in a scope; secrets stay sealed.
  public func configuration(
    of provider: ProviderID, in scope: Scope
  ) async throws -> ProviderConfiguration? {
    try await settings(of: scope).providers[provider.rawValue]
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
          remedy: "Give another value, or use providers.forget(\"\(provider)\").")
      }
      if let value = values[name], value != .null { try field.check(value, of: provider) }
      if let secret = secrets[name]?.reveal() {
        try TextBounds.setting.check(secret, "The setting \(name)", field: name)
      }
    }
  }
}

extension ConfigurationField {
  /// Checks a value's type; throws `invalid-argument`.
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

  /// How the field is written in Lua.
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
