/// A setting of a provider, such as its client IDs, as data: the console completes and checks it.
public struct ConfigurationField: Sendable, Hashable {
  /// The type of a setting's value.
  public enum FieldType: String, Sendable {
    case text, url, list, flag, number
    /// A secret, stored sealed and never shown again.
    case secret
    /// Names with texts, such as test numbers with their codes.
    case names
    /// Names with URLs, such as endpoints that differ from the vendor's usual ones.
    case urls

    /// The type in error messages.
    var title: String {
      switch self {
      case .text, .secret: "a text"
      case .url: "a URL"
      case .list: "a list of texts"
      case .flag: "true or false"
      case .number: "a whole number"
      case .names: "a table of names with a text each"
      case .urls: "a table of names with a URL each"
      }
    }
  }

  /// The name in Lua and the console.
  public let name: String
  /// The type of the value.
  public let type: FieldType
  /// True if the provider does not work without it.
  public let isRequired: Bool
  /// A description for help texts.
  public let summary: String
  /// True if the setting determines whose subjects are meant, so that it is fixed while identities are linked.
  public let namesSubjects: Bool
  /// The allowed names in ``FieldType/names`` and ``FieldType/urls``; empty to allow any.
  public let names: [String]
  /// The value if none is set; nil for none.
  public let fallback: JSONValue?
  /// The setting under which subjects are the same for each value of this one; nil if they never are.
  ///
  /// Only for a field that names subjects.
  public let sharedIf: SharedSubjects?

  /// A setting, and the value of it under which subjects do not depend on another field.
  public struct SharedSubjects: Sendable, Hashable {
    /// The name of the setting.
    public let setting: String
    /// The value that it has to have.
    public let value: String

    /// Makes a condition.
    public init(_ setting: String, is value: String) {
      self.setting = setting
      self.value = value
    }
  }

  /// Describes a setting.
  public init(
    _ name: String, _ type: FieldType = .text, required: Bool = false, names: [String] = [],
    namesSubjects: Bool = false, sharedIf: SharedSubjects? = nil, fallback: JSONValue? = nil,
    _ summary: String
  ) {
    self.fallback = fallback
    self.sharedIf = sharedIf
    self.namesSubjects = namesSubjects
    self.name = name
    self.type = type
    isRequired = required
    self.names = names
    self.summary = summary
  }
}

/// The stored settings of a provider in a scope, with secrets sealed.
public struct ProviderConfiguration: Hashable, Sendable, Codable {
  /// The settings by name.
  public var values: [String: JSONValue]
  /// The sealed secrets by name.
  public var sealedSecrets: [String: String]
  /// The ID of the setup, if the provider's name stood for another issuer before; a changed secret keeps it.
  var setup: String?

  /// Makes settings.
  public init(values: [String: JSONValue] = [:], sealedSecrets: [String: String] = [:]) {
    self.values = values
    self.sealedSecrets = sealedSecrets
  }

  /// Returns the names of the fields that differ.
  static func changedFields(
    from old: ProviderConfiguration?, to new: ProviderConfiguration?
  ) -> [String] {
    let (old, new) = (old ?? ProviderConfiguration(), new ?? ProviderConfiguration())
    let values = Set(old.values.keys).union(new.values.keys)
      .filter { old.values[$0] != new.values[$0] }
    let secrets = Set(old.sealedSecrets.keys).union(new.sealedSecrets.keys)
      .filter { old.sealedSecrets[$0] != new.sealedSecrets[$0] }
    return values.union(secrets).sorted()
  }

  /// Returns the purpose that a secret is sealed for.
  package static func purpose(_ field: String, of provider: ProviderID, in scope: Scope) -> String {
    "configuration \(provider) \(field) \(scope)"
  }
}

/// The settings of a provider, as the provider reads them.
public struct ProviderSettings: Sendable {
  /// The provider's ID.
  public let provider: ProviderID
  private let configuration: ProviderConfiguration?
  private let open: @Sendable (_ field: String, _ sealed: String) throws -> String

  /// Makes settings from a stored configuration and a function that opens its secrets.
  public init(
    _ provider: ProviderID, _ configuration: ProviderConfiguration?,
    open: @escaping @Sendable (_ field: String, _ sealed: String) throws -> String
  ) {
    self.provider = provider
    self.configuration = configuration
    self.open = open
  }

  /// Makes settings from plain values; for tests, and for providers that are used without a store.
  public init(
    _ provider: ProviderID, _ values: [String: JSONValue] = [:], secrets: [String: String] = [:]
  ) {
    self.init(
      provider, ProviderConfiguration(values: values, sealedSecrets: secrets),
      open: { _, text in text })
  }

  /// True if the scope has settings of the provider.
  public var isConfigured: Bool { configuration != nil }

  /// Returns a text; nil if it is not set.
  public func text(_ field: String) -> String? { configuration?.values[field]?.stringValue }

  /// Returns a list; a single text counts as a list of one, and nothing as an empty list.
  public func list(_ field: String) -> [String] {
    guard case .array(let values) = configuration?.values[field] else {
      return text(field).map { [$0] } ?? []
    }
    return values.compactMap(\.stringValue)
  }

  /// Returns a flag; nil if it is not set.
  public func flag(_ field: String) -> Bool? {
    guard case .bool(let flag) = configuration?.values[field] else { return nil }
    return flag
  }

  /// Returns a whole number; nil if it is not set.
  public func number(_ field: String) -> Int64? {
    guard case .integer(let number) = configuration?.values[field] else { return nil }
    return number
  }

  /// Returns a text in a field of names, such as one endpoint.
  public func text(_ name: String, of field: String) -> String? {
    configuration?.values[field]?[name]?.stringValue
  }

  /// Returns the names and texts of a field of names.
  public func names(_ field: String) -> [String: String] {
    guard case .object(let members) = configuration?.values[field] else { return [:] }
    return members.compactMapValues(\.stringValue)
  }

  /// Returns a secret; nil if it is not set.
  ///
  /// Throws if the secret cannot be opened.
  public func secret(_ field: String) throws -> Secret<String>? {
    try configuration?.sealedSecrets[field].map { Secret(try open(field, $0)) }
  }

  /// Returns a text that must be set, or throws `operation-not-allowed` naming the field.
  public func required(_ field: String) throws(AuthError) -> String {
    guard let value = text(field), !value.isEmpty else { throw missing(field) }
    return value
  }

  /// Returns a list that must not be empty, or throws `operation-not-allowed` naming the field.
  public func requiredList(_ field: String) throws(AuthError) -> [String] {
    let values = list(field)
    guard !values.isEmpty else { throw missing(field) }
    return values
  }

  /// Returns a secret that must be set, or throws `operation-not-allowed` naming the field.
  public func requiredSecret(_ field: String) throws -> Secret<String> {
    guard let value = try secret(field), !value.reveal().isEmpty else { throw missing(field) }
    return value
  }

  private func missing(_ field: String) -> AuthError {
    AuthError(
      .operationNotAllowed, "The provider \(provider) has no \(field) yet.", field: field,
      remedy: "Set it with providers.configure(\"\(provider)\", { \(field) = … }).",
      step: .credential)
  }
}
