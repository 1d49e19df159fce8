/// One setting of a provider, such as its client IDs, as data: the console completes and checks it.
public struct ConfigurationField: Sendable, Hashable {
  public enum FieldType: String, Sendable {
    case text, url, list, flag, number
    /// Kept sealed, and never shown again.
    case secret
    /// Names and texts, such as test numbers with their codes.
    case names
    /// Names and URLs, such as the endpoints that are not the usual ones.
    case urls

    /// What a message calls it.
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

  public let name: String
  public let type: FieldType
  public let isRequired: Bool
  public let summary: String
  /// Whether it says whose subjects are meant, so that it stays while there are identities.
  public let namesSubjects: Bool
  /// For ``FieldType/names`` and ``FieldType/urls``: the names that there are; empty where any will do.
  public let names: [String]
  /// What holds where nothing is set; nil where nothing does.
  public let fallback: JSONValue?
  /// For a field that names subjects: the setting that says that they are the same under each of its values; nil if
  /// they never are.
  public let sharedIf: SharedSubjects?

  /// A setting and the value of it that says that subjects do not depend on another field.
  public struct SharedSubjects: Sendable, Hashable {
    public let setting: String
    public let value: String

    public init(_ setting: String, is value: String) {
      self.setting = setting
      self.value = value
    }
  }

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

/// How a provider is set up in a scope, as the store keeps it: secrets are sealed.
public struct ProviderConfiguration: Hashable, Sendable, Codable {
  public var values: [String: JSONValue]
  public var sealedSecrets: [String: String]
  /// Names the setup, if the provider's name stood for another one before; a secret that changes leaves it.
  var setup: String?

  public init(values: [String: JSONValue] = [:], sealedSecrets: [String: String] = [:]) {
    self.values = values
    self.sealedSecrets = sealedSecrets
  }

  /// The names of the fields that differ.
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

  /// What a secret is sealed for.
  package static func purpose(_ field: String, of provider: ProviderID, in scope: Scope) -> String {
    "configuration \(provider) \(field) \(scope)"
  }
}

/// How a provider is set up, as the provider reads it.
public struct ProviderSettings: Sendable {
  public let provider: ProviderID
  private let configuration: ProviderConfiguration?
  private let open: @Sendable (_ field: String, _ sealed: String) throws -> String

  /// Takes a stored configuration and what opens its secrets.
  public init(
    _ provider: ProviderID, _ configuration: ProviderConfiguration?,
    open: @escaping @Sendable (_ field: String, _ sealed: String) throws -> String
  ) {
    self.provider = provider
    self.configuration = configuration
    self.open = open
  }

  /// Settings given directly; for tests, and for providers that are used without a store.
  public init(
    _ provider: ProviderID, _ values: [String: JSONValue] = [:], secrets: [String: String] = [:]
  ) {
    self.init(
      provider, ProviderConfiguration(values: values, sealedSecrets: secrets),
      open: { _, text in text })
  }

  public var isConfigured: Bool { configuration != nil }

  public func text(_ field: String) -> String? { configuration?.values[field]?.stringValue }

  public func list(_ field: String) -> [String] {
    guard case .array(let values) = configuration?.values[field] else {
      return text(field).map { [$0] } ?? []
    }
    return values.compactMap(\.stringValue)
  }

  public func flag(_ field: String) -> Bool? {
    guard case .bool(let flag) = configuration?.values[field] else { return nil }
    return flag
  }

  public func number(_ field: String) -> Int64? {
    guard case .integer(let number) = configuration?.values[field] else { return nil }
    return number
  }

  /// A text of a field of names, such as one endpoint.
  public func text(_ name: String, of field: String) -> String? {
    configuration?.values[field]?[name]?.stringValue
  }

  /// Every name of a field of names with its text.
  public func names(_ field: String) -> [String: String] {
    guard case .object(let members) = configuration?.values[field] else { return [:] }
    return members.compactMapValues(\.stringValue)
  }

  public func secret(_ field: String) throws -> Secret<String>? {
    try configuration?.sealedSecrets[field].map { Secret(try open(field, $0)) }
  }

  /// A text that has to be there; throws `operation-not-allowed` naming the field.
  public func required(_ field: String) throws(AuthError) -> String {
    guard let value = text(field), !value.isEmpty else { throw missing(field) }
    return value
  }

  /// A list that has to have something in it; throws `operation-not-allowed` naming the field.
  public func requiredList(_ field: String) throws(AuthError) -> [String] {
    let values = list(field)
    guard !values.isEmpty else { throw missing(field) }
    return values
  }

  /// A secret that has to be there; throws `operation-not-allowed` naming the field.
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
