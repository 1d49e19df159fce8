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
    let sealed = try secrets.filter { !$0.value.reveal().isEmpty }.map { name, secret in
      (
        name,
        try services.secrets.seal(
          secret.reveal(), for: ProviderConfiguration.purpose(name, of: provider, in: scope))
      )
    }
    return try await changeSettings(.configureProvider, by: caller) { settings in
      var configuration = settings.providers[provider.rawValue] ?? ProviderConfiguration()
      for (name, value) in values { configuration.values[name] = value == .null ? nil : value }
      for name in secrets.keys { configuration.sealedSecrets[name] = nil }
      for (name, text) in sealed { configuration.sealedSecrets[name] = text }
      settings.providers[provider.rawValue] = configuration
    }
  }

  /// Forgets how a provider was set up in the caller's scope.
  public func forgetConfiguration(
    of provider: ProviderID, by caller: Caller
  ) async throws -> Receipt {
    try await changeSettings(.configureProvider, by: caller) { settings in
      settings.providers[provider.rawValue] = nil
    }
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
    for name in (Array(values.keys) + Array(secrets.keys)).sorted() {
      guard let field = fields.first(where: { $0.name == name }) else {
        throw AuthError(
          .invalidArgument, "The provider \(provider) has no setting \"\(name)\".", field: name,
          remedy: suggestion(for: name, among: names))
      }
      guard (field.type == .secret) == (secrets[name] != nil) else {
        throw AuthError(
          .invalidArgument, "The setting \(name) of \(provider) is a \(field.type.rawValue).",
          field: name, remedy: "Write \(field.example).")
      }
      if let value = values[name], value != .null { try field.check(value, of: provider) }
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
      default: false
      }
    guard fits else {
      throw AuthError(
        .invalidArgument, "\(name) of \(provider) is a \(type.rawValue): \(summary).", field: name,
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
    case .names: "\(name) = { \(names.first ?? "name") = \"…\" }"
    }
  }
}
